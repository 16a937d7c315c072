package io.holdfast.replica;

import io.holdfast.cell.Command;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.raft.Invariants;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;

/**
 * Writes of values on their way to the log: each marks its paths, so that nobody caches them any more, and waits until nobody
 * does. What is not a write of a value passes at once.
 *
 * <p>The way of a write: mark → if somebody caches one of its paths, or may because of an earlier leader, and it may be refused
 * because of what is there: a leadership check, and if it is refused then, that is the answer → those who cache are told, once →
 * all have acknowledged, or their cache leases are over → it is proposed → applied: the mark goes (R6.3).
 *
 * <p><b>Thread:</b> the loop.
 *
 * <p><b>Invariants:</b> 1. A path is marked from the arrival of a write until it is applied, or certain never to be. 2. Nothing is
 * proposed whose paths are awaited, or while writes are held (R6.6). 3. What is answered here was not proposed. 4. At most {@link
 * #MAX_WAITING} writes and {@link #MAX_WAITING_BYTES} wait, each at most for one cache lease.
 *
 * <p><b>Source:</b> R6.3, R6.6, R2.7, ADR 0014.
 */
final class WriteGate {
    static final int MAX_WAITING = 10_000;
    static final long MAX_WAITING_BYTES = 32L << 20;

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final String WITHDRAWN =
            "its time passed while it waited for others to let go of what they cache; it was not done. See whom writes wait"
                    + " for in the status of the cell";

    /** A write that waits. */
    static final class Write {
        private final Command command;
        private final Operation operation;
        private final int sizeBytes;
        private final Asker asker;
        private final List<NodePath> paths;
        /** {@link Long#MAX_VALUE} for never. */
        private final long withdrawAtNanos;

        Write(Command command, Operation operation, int sizeBytes, Asker asker, long withdrawAtNanos) {
            this.command = command;
            this.operation = operation;
            this.sizeBytes = sizeBytes;
            this.asker = asker;
            this.paths = ValuePaths.writtenBy(operation);
            this.withdrawAtNanos = withdrawAtNanos;
        }
    }

    private final CellDriver driver;
    private final LoopShared shared;
    private final ClientStreams streams;
    private final CacheDesk caches;
    private final ProposalQueue proposals;
    private final ReadQueue reads;
    /** Writes that have arrived and are neither applied nor gone, by path. */
    private final TreeMap<NodePath, Integer> marks = new TreeMap<>();
    /** In order of arrival. */
    private final List<Write> waiting = new ArrayList<>();
    /** Those too that wait for their leadership check. */
    private int count;

    private long bytes;
    /** Something was added, or may pass now. */
    private boolean changed;
    /** When the first of those that wait is withdrawn. */
    private long nextWithdrawalNanos = Long.MAX_VALUE;

    WriteGate(
            CellDriver driver,
            LoopShared shared,
            ClientStreams streams,
            CacheDesk caches,
            ProposalQueue proposals,
            ReadQueue reads) {
        this.driver = driver;
        this.shared = shared;
        this.streams = streams;
        this.caches = caches;
        this.proposals = proposals;
        this.reads = reads;
        proposals.onRefused(this::ended);
    }

    /** Whether a write of this path has arrived and is not applied: nobody may cache it (R6.3). */
    boolean isMarked(NodePath path) {
        return marks.containsKey(path);
    }

    int waiting() {
        return count;
    }

    /**
     * Takes what a client asks for; it is proposed now or later, or answered.
     *
     * @param waitMillis how long it may wait here; 0 for no bound
     */
    void add(Command command, Operation operation, Asker asker, long waitMillis) {
        int size = RequestChecks.payloadBytes(operation);
        List<NodePath> paths = ValuePaths.writtenBy(operation);
        paths.forEach(path -> marks.merge(path, 1, Integer::sum)); // before anybody is told, and until it is applied
        if (paths.isEmpty() || isRepeat(command) || !mustWait(paths)) {
            proposals.add(command, size, asker);
            return;
        }
        if (count >= MAX_WAITING || bytes + size > MAX_WAITING_BYTES) {
            refuse(asker, ErrorCode.BUSY, "too many writes wait for clients to let go of what they cache");
            ended(command);
            return;
        }
        long withdrawAt = waitMillis <= 0 || waitMillis > Long.MAX_VALUE / (2 * NANOS_PER_MILLI)
                ? Long.MAX_VALUE
                : shared.now() + waitMillis * NANOS_PER_MILLI;
        Write write = new Write(command, operation, size, asker, withdrawAt);
        count++;
        bytes += size;
        if (ValuePaths.isConditional(operation)) {
            reads.add(new ReadQueue.Check(asker.stream(), asker.refusalId(), write)); // R2.6
        } else {
            begin(write);
        }
    }

    /** R2.7: it was applied before, or never will be, so nobody has to let go of anything for it. */
    private boolean isRepeat(Command command) {
        return command instanceof Command.Request request
                && driver.machine().isSettled(request.session(), request.requestId());
    }

    private boolean mustWait(List<NodePath> paths) {
        return caches.table().holdsWrites() || paths.stream().anyMatch(caches.table()::isCached);
    }

    /** The lead was confirmed since it arrived. */
    void checked(Write write) {
        Outcome refusal = isAlone(write) ? driver.machine().refusalOf(write.operation) : null;
        if (refusal == null || isRepeat(write.command)) {
            begin(write);
        } else {
            gone(write);
            ended(write.command);
            streams.send(write.asker.stream(), new ServerFrame.Reply(write.asker.id(), refusal));
        }
    }

    /**
     * Whether no other write of its paths is on its way: only then does the applied state say what would come of it. Another one may
     * be the same request, sent before on another stream, and this answer would be final for the client (ADR 0014, history 4).
     */
    private boolean isAlone(Write write) {
        return write.paths.stream().allMatch(path -> marks.getOrDefault(path, 0) == 1);
    }

    /** Its leadership check came to nothing, and whoever waits was told. */
    void uncheckable(Write write) {
        gone(write);
        ended(write.command);
    }

    private void begin(Write write) {
        caches.invalidate(write.paths);
        waiting.add(write);
        nextWithdrawalNanos = Math.min(nextWithdrawalNanos, write.withdrawAtNanos);
        changed = true;
        if (!isClear(write)) {
            streams.send(write.asker.stream(), new ServerFrame.Held(write.asker.refusalId()));
        }
    }

    private boolean isClear(Write write) {
        return !caches.table().holdsWrites() && write.paths.stream().noneMatch(caches.table()::isAwaited);
    }

    /** Proposes what nobody is waited for any more, and withdraws what has waited too long. */
    void flush() {
        caches.table().lapse(shared.now());
        changed |= caches.table().takeFreed();
        if (!changed && shared.now() < nextWithdrawalNanos) {
            return;
        }
        changed = false;
        nextWithdrawalNanos = Long.MAX_VALUE;
        for (Iterator<Write> each = waiting.iterator(); each.hasNext(); ) {
            Write write = each.next();
            if (isClear(write)) {
                each.remove();
                gone(write);
                proposals.add(write.command, write.sizeBytes, write.asker); // R6.3: now nobody caches it
            } else if (shared.now() >= write.withdrawAtNanos) {
                each.remove();
                gone(write);
                refuse(write.asker, ErrorCode.WITHDRAWN, WITHDRAWN); // R6.3: definitely not done
                ended(write.command);
            } else {
                nextWithdrawalNanos = Math.min(nextWithdrawalNanos, write.withdrawAtNanos);
            }
        }
    }

    private void gone(Write write) {
        count--;
        bytes -= write.sizeBytes;
    }

    long nextDeadlineNanos() {
        return Math.min(caches.table().nextDeadlineNanos(), nextWithdrawalNanos);
    }

    /** A command was applied, or never will be: its marks go. */
    void ended(Command command) {
        for (NodePath path : ValuePaths.writtenBy(command)) {
            Integer marked = marks.get(path);
            Invariants.check(marked != null, "a mark of %s goes that never came", path);
            marks.computeIfPresent(path, (any, writes) -> writes == 1 ? null : writes - 1);
        }
    }

    private void refuse(Asker asker, ErrorCode code, String why) {
        streams.refuse(asker.stream(), asker.refusalId(), code, true, why);
        shared.meter().refused(driver.id(), 1);
    }

    /** The lead is lost: what waits here was not proposed, and never will be. */
    void deposed(String why) {
        waiting.forEach(write -> refuse(write.asker, ErrorCode.UNAVAILABLE, why));
        waiting.clear();
    }
}
