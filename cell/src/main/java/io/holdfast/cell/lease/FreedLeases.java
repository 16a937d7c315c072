package io.holdfast.cell.lease;

import io.holdfast.cell.base.Hash64;
import io.holdfast.cell.base.Invariants;
import io.holdfast.cell.base.PersistentMap;
import io.holdfast.cell.format.Decoder;
import io.holdfast.cell.format.Encoder;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOwner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Which holds were given back lately, so that a repeated release is answered as the first was (R7.3). Of each only the token and
 * a fingerprint of name and owner are kept, in arrays: a few bytes each, however long the name was.
 *
 * <p><b>Thread:</b> the one that applies; what {@link #frozen} returns, any.
 *
 * <p><b>Invariants:</b> 1. At most {@code most} are kept; the one that was freed first goes first. 2. In each bucket they stand in
 * the order in which they were freed.
 */
public final class FreedLeases {
    private static final int BUCKETS = 4_096;
    private static final int FIELDS = 3;
    private static final int TOKEN = 0;
    private static final int FINGERPRINT = 1;
    private static final int REVISION = 2;
    private static final int FIRST_CAPACITY = 64;
    // Three numbers in a bucket, one in the order, and a share of the bucket's own.
    private static final long ENTRY_BYTES = 48;
    private static final long HASH_SEED = 5;

    private final int most;
    private PersistentMap<Integer, long[]> buckets = PersistentMap.empty();
    /** Tokens in the order in which they were freed: a ring. */
    private long[] order = new long[FIRST_CAPACITY];

    private int first;
    private int size;
    private long digest;

    /** One of them, as a snapshot has it. */
    public record Freed(FencingToken token, long fingerprint, long freedRevision) {
        /** Appends it in the snapshot format. */
        public void encode(Encoder out) {
            out.number(token.value()).number(fingerprint).number(freedRevision);
        }

        /** Reads what {@link #encode} wrote. */
        public static Freed decode(Decoder in) {
            return new Freed(new FencingToken(in.number()), in.number(), in.number());
        }
    }

    FreedLeases(int most) {
        this.most = most;
    }

    public static long fingerprint(LeaseName name, LeaseOwner owner) {
        return new Hash64(HASH_SEED).add(name.value()).add(owner.value()).value();
    }

    private static int bucketOf(long token) {
        return (int) (token & (BUCKETS - 1));
    }

    int size() {
        return size;
    }

    long bytes() {
        return size * ENTRY_BYTES;
    }

    long digest() {
        return digest;
    }

    /** The buckets as they are now, for ever. */
    public PersistentMap<Integer, long[]> frozen() {
        return buckets;
    }

    /** Those in a bucket, in order. */
    public static void each(long[] bucket, Consumer<Freed> consumer) {
        for (int at = 0; at < bucket.length; at += FIELDS) {
            consumer.accept(
                    new Freed(new FencingToken(bucket[at + TOKEN]), bucket[at + FINGERPRINT], bucket[at + REVISION]));
        }
    }

    /** Remembers one; the oldest is forgotten if there are too many. */
    void add(Freed freed) {
        if (size == most) {
            forgetOldest();
        }
        int bucket = bucketOf(freed.token().value());
        long[] before = buckets.get(bucket);
        long[] after = before == null ? new long[FIELDS] : Arrays.copyOf(before, before.length + FIELDS);
        int at = after.length - FIELDS;
        after[at + TOKEN] = freed.token().value();
        after[at + FINGERPRINT] = freed.fingerprint();
        after[at + REVISION] = freed.freedRevision();
        buckets = buckets.with(bucket, after);
        if (size == order.length) {
            grow();
        }
        order[(first + size) % order.length] = freed.token().value();
        size++;
        digest += digestOf(after, at);
    }

    private void grow() {
        long[] larger = new long[order.length * 2];
        for (int i = 0; i < size; i++) {
            larger[i] = order[(first + i) % order.length];
        }
        order = larger;
        first = 0;
    }

    private void forgetOldest() {
        long token = order[first];
        first = (first + 1) % order.length;
        size--;
        int bucket = bucketOf(token);
        long[] before = Invariants.present(buckets.get(bucket), "what is in the order is in its bucket");
        Invariants.check(before[TOKEN] == token, "the oldest of all is the first of its bucket");
        digest -= digestOf(before, 0);
        buckets = before.length == FIELDS
                ? buckets.without(bucket)
                : buckets.with(bucket, Arrays.copyOfRange(before, FIELDS, before.length));
    }

    /** Whether exactly this hold is remembered. */
    boolean contains(LeaseName name, LeaseOwner owner, FencingToken token) {
        long[] bucket = buckets.get(bucketOf(token.value()));
        for (int at = 0; bucket != null && at < bucket.length; at += FIELDS) {
            if (bucket[at + TOKEN] == token.value()) {
                return bucket[at + FINGERPRINT] == fingerprint(name, owner);
            }
        }
        return false;
    }

    private static long digestOf(long[] bucket, int at) {
        return new Hash64(HASH_SEED)
                .add(bucket[at + TOKEN])
                .add(bucket[at + FINGERPRINT])
                .add(bucket[at + REVISION])
                .value();
    }

    /** The digest computed from nothing; slow. */
    long recomputedDigest() {
        long sum = 0;
        for (PersistentMap.Entry<Integer, long[]> bucket : buckets) {
            for (int at = 0; at < bucket.value().length; at += FIELDS) {
                sum += digestOf(bucket.value(), at);
            }
        }
        return sum;
    }

    /** How many there are, counted from nothing; slow. */
    int recount() {
        int count = 0;
        for (PersistentMap.Entry<Integer, long[]> bucket : buckets) {
            count += bucket.value().length / FIELDS;
        }
        return count;
    }

    /** Adds those of a snapshot, in any order. */
    void restore(List<Freed> all) {
        List<Freed> sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparingLong(Freed::freedRevision));
        sorted.forEach(this::add);
    }
}
