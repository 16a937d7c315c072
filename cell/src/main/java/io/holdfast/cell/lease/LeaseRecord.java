package io.holdfast.cell.lease;

import io.holdfast.cell.base.Hash64;
import io.holdfast.cell.base.HeapSize;
import io.holdfast.cell.format.Decoder;
import io.holdfast.cell.format.Encoder;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.LeaseOwner;
import org.jspecify.annotations.Nullable;

/**
 * A leased lock that is held: one per name (F8). Immutable.
 *
 * @param token revision at which it was granted (R2.3)
 * @param requestId of the acquire that made it (R2.7); empty if it had none
 */
public record LeaseRecord(LeaseName name, LeaseOwner owner, long leaseMillis, FencingToken token, String requestId) {
    // Measured, see HeapCostTest: the record with its typed fields and its entry in the map.
    private static final long RECORD_BYTES = 200;
    private static final long HASH_SEED = 4;

    /** What a record for this acquire takes of the state's limit. */
    public static long costOf(LeaseCall.Acquire acquire) {
        return costOf(acquire.name(), acquire.owner(), acquire.requestId());
    }

    private static long costOf(LeaseName name, LeaseOwner owner, String requestId) {
        return RECORD_BYTES + HeapSize.of(name.value()) + HeapSize.of(owner.value()) + HeapSize.of(requestId);
    }

    long cost() {
        return costOf(name, owner, requestId);
    }

    /** Whether this is what the acquire made when it was sent before: the same owner and request id (R7.2). */
    public boolean isMadeBy(LeaseCall.Acquire acquire) {
        return !requestId.isEmpty() && requestId.equals(acquire.requestId()) && owner.equals(acquire.owner());
    }

    /** Whether this is the hold that a caller names; the name is the record's (R7.3: all fields must match). */
    public boolean is(LeaseOwner otherOwner, FencingToken otherToken) {
        return token.equals(otherToken) && owner.equals(otherOwner);
    }

    /** Why a hold that a caller names is not there: what there is of its name instead. */
    public static LeaseOutcome.Lost insteadOfIt(@Nullable LeaseRecord present) {
        return new LeaseOutcome.Lost(
                present == null
                        ? "nobody holds it any more: its lease ran out, or it was released"
                        : "it is held by " + present.owner() + " with token " + present.token());
    }

    /** The record's part of the state digest. */
    long digest() {
        return new Hash64(HASH_SEED)
                .add(name.value())
                .add(owner.value())
                .add(leaseMillis)
                .add(token.value())
                .add(requestId)
                .value();
    }

    /** Appends the record in the snapshot format. */
    public void encode(Encoder out) {
        out.text(name.value()).text(owner.value()).number(leaseMillis);
        out.number(token.value()).text(requestId);
    }

    /** Reads what {@link #encode} wrote. */
    public static LeaseRecord decode(Decoder in) {
        LeaseName name = in.leaseName();
        LeaseOwner owner = in.leaseOwner();
        return new LeaseRecord(name, owner, in.number(), new FencingToken(in.number()), in.text());
    }
}
