package io.holdfast.cli.commands;

import io.holdfast.cli.support.Durations;
import io.holdfast.model.Answer;
import io.holdfast.server.http.PlaceDocuments;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How places are shown. Pure, but for the ages. */
final class Places {
    private Places() {}

    private static String word(Answer.PlaceInfo place) {
        return PlaceDocuments.State.of(place).name().toLowerCase(Locale.ROOT);
    }

    /** A document for each lock, in the given order. */
    static List<Object> byLock(List<Answer.PlaceInfo> places) {
        return PlaceDocuments.byLock(places, System.currentTimeMillis());
    }

    /** A table with a row for each place. */
    static List<List<String>> rows(List<Answer.PlaceInfo> places) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("LOCK", "STATE", "MODE", "TOKEN", "SESSION", "AGE", "CLIENT"));
        for (Answer.PlaceInfo place : places) {
            String mode = PlaceDocuments.mode(place);
            rows.add(List.of(
                    place.lock().value(),
                    word(place) + (place.ending() ? ", ending" : ""),
                    place.permits() > 0 ? mode + " of " + place.permits() : mode,
                    place.token().toString(),
                    place.session() == null ? "-" : place.session().toString(),
                    Durations.age(Ages.since(place.sinceWallMillis())),
                    place.clientName()));
        }
        return rows;
    }
}
