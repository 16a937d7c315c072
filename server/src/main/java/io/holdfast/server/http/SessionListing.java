package io.holdfast.server.http;

import io.holdfast.model.Answer;
import io.holdfast.model.SessionId;
import io.holdfast.server.http.wire.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Writes sessions with what they hold and wait for.
 *
 * <p><b>Thread:</b> one at a time.
 */
final class SessionListing {
    /** Rough memory of a place that waits for its session to be written. */
    private static final long PLACE_BYTES = 300;

    private final LongConsumer reserve;
    private final JsonList list;
    private final Map<SessionId, Places> owned = new HashMap<>();

    private record Places(List<Object> held, List<Object> waiting) {
        private static final Places NONE = new Places(List.of(), List.of());

        Places() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    SessionListing(LongConsumer reserve) {
        this.reserve = reserve;
        this.list = new JsonList("sessions", reserve);
    }

    /** Places come before sessions; those in their lock-delay belong to nobody. */
    void own(Answer.PlaceInfo place) {
        SessionId session = place.session();
        if (session != null) {
            reserve.accept(PLACE_BYTES);
            Places places = owned.computeIfAbsent(session, any -> new Places());
            (place.held() ? places.held : places.waiting).add(PlaceDocuments.brief(place));
        }
    }

    void take(Answer.SessionInfo session) {
        Places places = owned.getOrDefault(session.session(), Places.NONE);
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("session", session.session().value());
        document.put("client", session.clientName());
        document.put("leaseMillis", session.leaseMillis());
        document.put("remainingMillis", session.remainingMillis());
        document.put("nodes", session.nodes());
        document.put("holds", places.held);
        document.put("waits", places.waiting);
        document.put("expiring", session.expiring());
        document.put("ending", session.ending());
        document.put("ageMillis", PlaceDocuments.age(session.openedWallMillis(), System.currentTimeMillis()));
        list.add(document);
    }

    Reply reply() {
        return list.reply();
    }
}
