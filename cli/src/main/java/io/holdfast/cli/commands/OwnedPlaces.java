package io.holdfast.cli.commands;

import io.holdfast.model.Answer;
import io.holdfast.model.SessionId;
import io.holdfast.server.http.PlaceDocuments;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What each session holds and waits for.
 *
 * @param held by the session that holds it, in the given order
 * @param waiting by the session that waits for it, in the given order
 */
record OwnedPlaces(Map<SessionId, List<Answer.PlaceInfo>> held, Map<SessionId, List<Answer.PlaceInfo>> waiting) {
    /** Places in their lock-delay belong to nobody. */
    static OwnedPlaces of(List<Answer.PlaceInfo> places) {
        OwnedPlaces owned = new OwnedPlaces(new TreeMap<>(), new TreeMap<>());
        for (Answer.PlaceInfo place : places) {
            SessionId session = place.session();
            if (session != null) {
                (place.held() ? owned.held : owned.waiting)
                        .computeIfAbsent(session, any -> new ArrayList<>())
                        .add(place);
            }
        }
        return owned;
    }

    List<Answer.PlaceInfo> heldBy(SessionId session) {
        return held.getOrDefault(session, List.of());
    }

    List<Answer.PlaceInfo> waitedForBy(SessionId session) {
        return waiting.getOrDefault(session, List.of());
    }

    /** As the documents of {@code sessions} name them. */
    static List<Object> documents(List<Answer.PlaceInfo> places) {
        List<Object> documents = new ArrayList<>();
        for (Answer.PlaceInfo place : places) {
            documents.add(PlaceDocuments.brief(place));
        }
        return documents;
    }
}
