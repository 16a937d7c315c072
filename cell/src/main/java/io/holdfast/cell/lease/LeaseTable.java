package io.holdfast.cell.lease;

import io.holdfast.cell.base.Invariants;
import io.holdfast.cell.base.PersistentMap;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOwner;
import io.holdfast.model.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All leased locks of a cell that are held, by name, and the holds that were given back lately. A name that nobody holds leaves
 * nothing behind: its next token is higher because the revision is the cell's (R2.3).
 *
 * <p><b>Thread:</b> the one that applies; what {@link #frozen} and {@link #freed} give out frozen, any.
 *
 * <p><b>Invariants:</b> 1. One record per name. 2. {@code digest} and {@code bytes} are the sums over all records and what is
 * remembered; both are 0 if there is nothing.
 *
 * <p><b>Source:</b> F8, R7.1, R7.3.
 */
public final class LeaseTable {
    private final FreedLeases freed;
    private PersistentMap<LeaseName, LeaseRecord> records = PersistentMap.empty();
    private long digest;
    private long bytes;

    public LeaseTable() {
        this(Limits.MAX_FREED_LEASES);
    }

    /** @param mostFreed how many given-back holds are remembered */
    LeaseTable(int mostFreed) {
        this.freed = new FreedLeases(mostFreed);
    }

    public @Nullable LeaseRecord find(LeaseName name) {
        return records.get(name);
    }

    public int size() {
        return records.size();
    }

    /** Holds remembered that were given back. */
    public int freedCount() {
        return freed.size();
    }

    /** The records as they are now, for ever. */
    public PersistentMap<LeaseName, LeaseRecord> frozen() {
        return records;
    }

    public FreedLeases freed() {
        return freed;
    }

    public long digest() {
        return digest + freed.digest();
    }

    public long bytes() {
        return bytes + freed.bytes();
    }

    /** Adds a record, new or from a snapshot. */
    public void add(LeaseRecord leased) {
        Invariants.check(records.get(leased.name()) == null, "a leased lock has one holder");
        records = records.with(leased.name(), leased);
        digest += leased.digest();
        bytes += leased.cost();
    }

    /** The lease is over; nothing of it is kept. */
    public void remove(LeaseRecord leased) {
        Invariants.check(leased.equals(records.get(leased.name())), "what is removed is there");
        records = records.without(leased.name());
        digest -= leased.digest();
        bytes -= leased.cost();
    }

    /** The hold is given back; that is remembered for a while (R7.3). */
    public void free(LeaseRecord leased, long atRevision) {
        remove(leased);
        long fingerprint = FreedLeases.fingerprint(leased.name(), leased.owner());
        freed.add(new FreedLeases.Freed(leased.token(), fingerprint, atRevision));
    }

    /** Whether exactly this hold was given back, as far as is remembered. */
    public boolean wasFreed(LeaseName name, LeaseOwner owner, FencingToken token) {
        return freed.contains(name, owner, token);
    }

    /** Takes what a snapshot remembers of holds that were given back. */
    public void restoreFreed(List<FreedLeases.Freed> all) {
        freed.restore(all);
    }

    /** The digest computed from nothing; slow. */
    public long recomputedDigest() {
        long sum = freed.recomputedDigest();
        for (PersistentMap.Entry<LeaseName, LeaseRecord> entry : records) {
            sum += entry.value().digest();
        }
        return sum;
    }

    /** The bytes computed from nothing; slow. */
    public long recomputedBytes() {
        Invariants.check(freed.recount() == freed.size(), "what is remembered is counted");
        long sum = freed.bytes();
        for (PersistentMap.Entry<LeaseName, LeaseRecord> entry : records) {
            sum += entry.value().cost();
        }
        return sum;
    }
}
