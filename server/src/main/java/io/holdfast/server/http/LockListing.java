package io.holdfast.server.http;

import io.holdfast.model.Answer;
import io.holdfast.server.http.wire.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Writes the places of locks, which come lock by lock, as one list of locks.
 *
 * <p><b>Thread:</b> one at a time.
 */
final class LockListing implements ListingRoutes.PlaceTaking {
    /** Rough memory of a place that waits to be written. */
    private static final long PLACE_BYTES = 300;

    private final LongConsumer reserve;
    private final JsonList list;
    private final List<Answer.PlaceInfo> queue = new ArrayList<>();
    private long queuedBytes;

    LockListing(LongConsumer reserve) {
        this.reserve = reserve;
        this.list = new JsonList("locks", reserve);
    }

    @Override
    public void take(Answer.PlaceInfo place) {
        if (!queue.isEmpty() && !queue.get(0).lock().equals(place.lock())) {
            flush();
        }
        long bytes = PLACE_BYTES + place.value().length;
        reserve.accept(bytes);
        queuedBytes += bytes;
        queue.add(place);
    }

    private void flush() {
        PlaceDocuments.byLock(queue, System.currentTimeMillis()).forEach(list::add);
        queue.clear();
        reserve.accept(-queuedBytes);
        queuedBytes = 0;
    }

    Reply reply() {
        flush();
        return list.reply();
    }
}
