package io.holdfast.server.http;

import io.holdfast.model.Answer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Places in queues as the JSON that users see, over HTTP and on the command line alike. Pure. */
public final class PlaceDocuments {
    private PlaceDocuments() {}

    /** What a place is to those who come after it. */
    public enum State {
        HELD,
        WAITING,
        /** Its holder's session died, and its lock-delay keeps others out (R4.6): nobody holds it, and nobody waits for it. */
        DELAYED;

        public static State of(Answer.PlaceInfo place) {
            return place.held() ? HELD : place.session() == null ? DELAYED : WAITING;
        }
    }

    public static String mode(Answer.PlaceInfo place) {
        return place.mode().name().toLowerCase(Locale.ROOT);
    }

    /** How long ago something was, by wall clocks that may differ; for display only (R1.1). */
    public static long age(long wallMillis, long nowWallMillis) {
        return Math.max(0, nowWallMillis - wallMillis);
    }

    /**
     * A document for each lock, in the given order.
     *
     * @param nowWallMillis from which ages are counted
     */
    public static List<Object> byLock(List<Answer.PlaceInfo> places, long nowWallMillis) {
        Map<String, List<Answer.PlaceInfo>> grouped = new LinkedHashMap<>();
        for (Answer.PlaceInfo place : places) {
            grouped.computeIfAbsent(place.lock().value(), lock -> new ArrayList<>())
                    .add(place);
        }
        List<Object> locks = new ArrayList<>();
        grouped.forEach((lock, queue) -> {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("lock", lock);
            document.put("holders", documents(queue, State.HELD, nowWallMillis));
            document.put("delayed", documents(queue, State.DELAYED, nowWallMillis));
            document.put("waiters", documents(queue, State.WAITING, nowWallMillis));
            locks.add(document);
        });
        return locks;
    }

    private static List<Object> documents(List<Answer.PlaceInfo> queue, State state, long nowWallMillis) {
        List<Object> documents = new ArrayList<>();
        for (Answer.PlaceInfo place : queue) {
            if (State.of(place) == state) {
                documents.add(document(place, nowWallMillis));
            }
        }
        return documents;
    }

    private static Map<String, @Nullable Object> document(Answer.PlaceInfo place, long nowWallMillis) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("token", place.token().value());
        document.put("mode", mode(place));
        document.put("session", place.session() == null ? null : place.session().value());
        document.put("client", place.clientName());
        document.put("place", place.place().value());
        document.put("ageMillis", age(place.sinceWallMillis(), nowWallMillis));
        document.put("ending", place.ending());
        if (place.permits() > 0) {
            document.put("permits", place.permits());
        }
        if (place.value().length > 0) {
            putText(place.value(), document);
        }
        return document;
    }

    /** As the documents of sessions name it. */
    public static Map<String, Object> brief(Answer.PlaceInfo place) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("lock", place.lock().value());
        document.put("token", place.token().value());
        document.put("mode", mode(place));
        return document;
    }

    /** Adds bytes: {@code value} if they are UTF-8 text, else {@code valueBase64}. */
    public static void putText(byte[] bytes, Map<String, @Nullable Object> document) {
        try {
            document.put(
                    "value",
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString());
        } catch (CharacterCodingException binary) {
            document.put("valueBase64", Base64.getEncoder().encodeToString(bytes));
        }
    }
}
