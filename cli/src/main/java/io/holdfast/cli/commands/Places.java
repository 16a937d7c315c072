package io.holdfast.cli.commands;

import io.holdfast.cli.support.Durations;
import io.holdfast.cli.support.Json;
import io.holdfast.model.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How places are shown. Pure, but for the ages. */
final class Places {
    private Places() {}

    /** What a place is to those who come after it. */
    enum State {
        HELD,
        WAITING,
        /** Its holder's session died, and its lock-delay keeps others out (R4.6): nobody holds it, and nobody waits for it. */
        DELAYED;

        static State of(Answer.PlaceInfo place) {
            return place.held() ? HELD : place.session() == null ? DELAYED : WAITING;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static String mode(Answer.PlaceInfo place) {
        return place.mode().name().toLowerCase(Locale.ROOT);
    }

    /** A document for each lock, in the given order. */
    static List<Object> byLock(List<Answer.PlaceInfo> places) {
        Map<String, List<Answer.PlaceInfo>> grouped = new LinkedHashMap<>();
        for (Answer.PlaceInfo place : places) {
            grouped.computeIfAbsent(place.lock().value(), lock -> new ArrayList<>())
                    .add(place);
        }
        List<Object> locks = new ArrayList<>();
        grouped.forEach((lock, queue) -> locks.add(Json.object(
                "lock", lock,
                "holders", documents(queue, State.HELD),
                "delayed", documents(queue, State.DELAYED),
                "waiters", documents(queue, State.WAITING))));
        return locks;
    }

    private static List<Object> documents(List<Answer.PlaceInfo> queue, State state) {
        List<Object> documents = new ArrayList<>();
        for (Answer.PlaceInfo place : queue) {
            if (State.of(place) == state) {
                documents.add(document(place));
            }
        }
        return documents;
    }

    private static Map<String, @Nullable Object> document(Answer.PlaceInfo place) {
        Map<String, @Nullable Object> document = Json.object(
                "token", place.token().value(),
                "mode", mode(place),
                "session", place.session() == null ? null : place.session().value(),
                "client", place.clientName(),
                "place", place.place().value(),
                "ageMillis", Ages.since(place.sinceWallMillis()),
                "ending", place.ending());
        if (place.permits() > 0) {
            document.put("permits", place.permits());
        }
        if (place.value().length > 0) {
            ValueText.put(place.value(), document);
        }
        return document;
    }

    /** A table with a row for each place. */
    static List<List<String>> rows(List<Answer.PlaceInfo> places) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("LOCK", "STATE", "MODE", "TOKEN", "SESSION", "AGE", "CLIENT"));
        for (Answer.PlaceInfo place : places) {
            rows.add(List.of(
                    place.lock().value(),
                    State.of(place).word() + (place.ending() ? ", ending" : ""),
                    place.permits() > 0 ? mode(place) + " of " + place.permits() : mode(place),
                    place.token().toString(),
                    place.session() == null ? "-" : place.session().toString(),
                    Durations.age(Ages.since(place.sinceWallMillis())),
                    place.clientName()));
        }
        return rows;
    }
}
