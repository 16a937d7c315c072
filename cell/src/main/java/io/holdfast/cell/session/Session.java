package io.holdfast.cell.session;

import io.holdfast.cell.base.Hash64;
import io.holdfast.cell.base.HeapSize;
import io.holdfast.cell.base.PersistentMap;
import io.holdfast.cell.format.Decoder;
import io.holdfast.cell.format.Encoder;
import io.holdfast.model.Limits;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * One open session, immutable.
 *
 * <p><b>Thread:</b> any.
 *
 * <p><b>Invariants:</b> 1. All ids in {@code results} lie above {@code watermark} and at most
 * {@link Limits#MAX_RESULTS_PER_SESSION} above it (R2.7).
 *
 * @param watermark request ids up to here are answered and seen; they are never applied (again)
 * @param results by request id
 */
public record Session(SessionId id, Opening opening, long watermark, PersistentMap<Long, Outcome> results) {
    // Measured, see HeapCostTest: the session, its secret, its entries in the table and in two indexes.
    private static final long SESSION_BYTES = 440;
    private static final long HASH_SEED = 2;
    private static final long RESULT_SEED = 3;

    public static Session opened(SessionId id, Opening opening) {
        return new Session(id, opening, 0, PersistentMap.empty());
    }

    public long leaseMillis() {
        return opening.leaseMillis();
    }

    public @Nullable Outcome result(long requestId) {
        return results.get(requestId);
    }

    /** Bytes charged to the state's limit, without the results. */
    long ownCost() {
        return costOf(opening);
    }

    /** What a session opened so costs at first. */
    public static long costOf(Opening opening) {
        return SESSION_BYTES + HeapSize.of(opening.clientName());
    }

    /** The session's part of the state digest, without the results. */
    long ownDigest() {
        return new Hash64(HASH_SEED)
                .add(id.value())
                .add(opening.secret())
                .add(opening.leaseMillis())
                .add(opening.clientName())
                .add(opening.caching())
                .add(opening.wallMillis())
                .add(watermark)
                .value();
    }

    /** One result's part of the state digest. */
    long digestOf(long requestId, Outcome result) {
        return StoredOutcome.hash(new Hash64(RESULT_SEED).add(id.value()).add(requestId), result)
                .value();
    }

    /** Appends the session in the snapshot format. */
    public void encode(Encoder out) {
        out.number(id.value());
        out.bytes(opening.secret()).number(opening.leaseMillis()).text(opening.clientName());
        out.flag(opening.caching()).signed(opening.wallMillis());
        out.number(watermark); // R2.7
        out.number(results.size());
        for (PersistentMap.Entry<Long, Outcome> result : results) {
            out.number(result.key());
            StoredOutcome.encode(out, result.value());
        }
    }

    /** Reads what {@link #encode} wrote. */
    public static Session decode(Decoder in) {
        SessionId id = new SessionId(in.number());
        Opening opening = new Opening(in.bytes(), in.number(), in.text(), in.flag(), in.signed());
        in.require(opening.secret().length == Limits.SECRET_BYTES, "a secret of a wrong length");
        long watermark = in.number(); // R2.7
        int count = in.count();
        PersistentMap<Long, Outcome> results = PersistentMap.empty();
        for (int i = 0; i < count; i++) {
            results = results.with(in.number(), StoredOutcome.decode(in));
        }
        return new Session(id, opening, watermark, results);
    }
}
