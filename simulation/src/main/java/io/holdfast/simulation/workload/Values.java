package io.holdfast.simulation.workload;

import io.holdfast.client.session.Failure;
import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.simulation.check.RegisterHistories;
import io.holdfast.simulation.check.RegisterOp;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.World;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** An application's reads, writes and compare-and-sets, and the record of what it saw of them. */
final class Values {
    private static final Set<ErrorCode> MISMATCHES =
            EnumSet.of(ErrorCode.BAD_VERSION, ErrorCode.EXISTS, ErrorCode.NOT_FOUND);

    private final World world;
    private final Rng rng;
    private final RegisterHistories histories;
    private final int keys;
    private final Map<Long, Pending> pending = new TreeMap<>();
    /** Items of each batch that is not answered, in order. */
    private final Map<Long, List<Pending>> batches = new TreeMap<>();

    private final Map<String, Long> lastVersions = new TreeMap<>();
    private long nextValue;

    private record Pending(String key, RegisterOp.Kind kind, long invokedNanos, long expectedVersion, long value) {}

    /** @param firstValue values of this application count up from here, unlike any other's */
    Values(World world, Rng rng, RegisterHistories histories, int keys, long firstValue) {
        this.world = world;
        this.rng = rng;
        this.histories = histories;
        this.keys = keys;
        this.nextValue = firstValue;
    }

    NodePath anyKey() {
        return new NodePath("/config/k" + rng.below(keys));
    }

    /** A write to try. */
    Operation anyWrite(long callId) {
        NodePath key = anyKey();
        Long seen = lastVersions.get(key.value());
        long expected = switch (rng.below(6)) {
            case 0 -> Operation.ANY_VERSION;
            case 1 -> Operation.MUST_NOT_EXIST;
            default -> seen == null ? Operation.MUST_NOT_EXIST : seen;
        };
        if (rng.chance(0.15)) {
            long version = expected == Operation.MUST_NOT_EXIST ? Operation.ANY_VERSION : expected;
            begun(callId, key, RegisterOp.Kind.DELETE, version, 0);
            return new Operation.Delete(key, version);
        }
        long value = nextValue++;
        begun(callId, key, RegisterOp.Kind.PUT, expected, value);
        return new Operation.Put(key, bytes(value), expected);
    }

    /** A batch to try: a write of every key, in which one at least has to fit. */
    Operation anyBatch(long callId) {
        List<Operation.BatchItem> items = new ArrayList<>();
        List<Pending> begun = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            NodePath key = new NodePath("/config/k" + i);
            Long seen = lastVersions.get(key.value());
            long expected = rng.chance(0.5) || seen == null ? Operation.ANY_VERSION : seen;
            boolean delete = rng.chance(0.15);
            long value = delete ? 0 : nextValue++;
            RegisterOp.Kind kind = delete ? RegisterOp.Kind.DELETE : RegisterOp.Kind.PUT;
            begun.add(new Pending(key.value(), kind, world.nowNanos(), expected, value));
            items.add(delete ? new Operation.Delete(key, expected) : new Operation.Put(key, bytes(value), expected));
        }
        batches.put(callId, begun);
        return new Operation.Batch(items);
    }

    private void completed(List<Pending> items, Outcome outcome) {
        if (outcome instanceof Outcome.Batched batched) {
            for (int i = 0; i < items.size(); i++) {
                Pending op = items.get(i);
                boolean deleted = op.kind() == RegisterOp.Kind.DELETE;
                record(
                        op,
                        op.value(),
                        deleted ? RegisterOp.DELETED : batched.versions().get(i));
            }
        } else if (outcome instanceof Outcome.BatchRefused refused && MISMATCHES.contains(refused.code())) {
            Pending op = items.get(refused.item()); // the keys before it were not written, this one did not fit
            lastVersions.remove(op.key());
            record(op, op.value(), RegisterOp.MISMATCH);
        }
    }

    NodePath anyRead(long callId) {
        NodePath key = anyKey();
        begun(callId, key, RegisterOp.Kind.GET, 0, 0);
        return key;
    }

    private void begun(long callId, NodePath key, RegisterOp.Kind kind, long expected, long value) {
        pending.put(callId, new Pending(key.value(), kind, world.nowNanos(), expected, value));
    }

    private static byte[] bytes(long value) {
        return ByteBuffer.allocate(8).putLong(value).array();
    }

    boolean isMine(long callId) {
        return pending.containsKey(callId);
    }

    void completed(long callId, Outcome outcome) {
        List<Pending> items = batches.remove(callId);
        if (items != null) {
            completed(items, outcome);
            return;
        }
        Pending op = pending.remove(callId);
        if (op == null) {
            return;
        }
        world.coverage().seen(Seen.WRITE_DONE);
        if (outcome instanceof Outcome.Written written) {
            lastVersions.put(op.key(), written.version());
            record(op, op.value(), written.version());
        } else if (outcome instanceof Outcome.Deleted) {
            lastVersions.remove(op.key());
            record(op, 0, RegisterOp.DELETED);
        }
    }

    void answered(long callId, Answer answer) {
        Pending op = pending.remove(callId);
        if (op == null || !(answer instanceof Answer.Value value)) {
            return;
        }
        world.coverage().seen(Seen.READ_DONE);
        if (value.value() == null) {
            lastVersions.remove(op.key());
            record(op, 0, RegisterOp.ABSENT);
        } else {
            lastVersions.put(op.key(), value.version());
            record(op, ByteBuffer.wrap(value.value()).getLong(), value.version());
        }
    }

    void failed(long callId, Failure failure) {
        List<Pending> items = batches.remove(callId);
        if (items != null && !failure.definite()) {
            items.forEach(this::unknown);
        }
        Pending op = pending.remove(callId);
        if (op == null || op.kind() == RegisterOp.Kind.GET) {
            return;
        }
        if (failure.kind() == Failure.Kind.REFUSED && MISMATCHES.contains(failure.code())) {
            world.coverage().seen(Seen.WRITE_VERSION_MISMATCH);
            lastVersions.remove(op.key());
            record(op, op.value(), RegisterOp.MISMATCH);
        } else if (!failure.definite()) {
            unknown(op);
        } else if (failure.code() == ErrorCode.WITHDRAWN) {
            world.coverage().seen(Seen.WRITE_WITHDRAWN);
        }
    }

    /** The process died: whatever was asked for may happen or not. */
    void died() {
        batches.values().forEach(items -> items.forEach(this::unknown));
        batches.clear();
        for (Pending op : pending.values()) {
            if (op.kind() != RegisterOp.Kind.GET) {
                unknown(op);
            }
        }
        pending.clear();
        lastVersions.clear();
    }

    private void unknown(Pending op) {
        world.coverage().seen(Seen.WRITE_UNKNOWN);
        histories.record(
                op.key(),
                new RegisterOp(op.kind(), op.invokedNanos(), RegisterOp.NEVER, op.expectedVersion(), op.value(), 0));
    }

    private void record(Pending op, long value, long result) {
        histories.record(
                op.key(),
                new RegisterOp(op.kind(), op.invokedNanos(), world.nowNanos(), op.expectedVersion(), value, result));
    }
}
