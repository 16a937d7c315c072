package io.holdfast.replica;

import io.holdfast.cell.Command;
import io.holdfast.cell.CommandBatch;
import io.holdfast.cell.CommandCodec;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.raft.Invariants;
import io.holdfast.raft.RaftInput;
import io.holdfast.raft.RaftOutput.Refused.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Commands on their way into the log: everything that waits becomes one entry.
 *
 * <p><b>Thread:</b> the loop.
 *
 * <p><b>Invariants:</b> (1) at most {@link #MAX_WAITING} commands and {@link #MAX_WAITING_BYTES} wait, more are refused as
 * BUSY; (2) commands are proposed, and so applied, in the order in which they came; (3) whoever waits is answered exactly
 * once: by the outcome, as "definitely not done" before the proposal, or as "unknown" after it; (4) while nothing is being
 * committed nothing waits, and nothing is proposed ({@link CommitWatch}).
 */
final class ProposalQueue {
    static final int MAX_WAITING = 20_000;
    static final long MAX_WAITING_BYTES = 32L << 20;
    /** Entries proposed and not yet applied; while so many are out, more commands gather for the next one. */
    static final int MAX_IN_FLIGHT = 16;

    /** What a command takes at most beside its payload, its asker and the entry's head included. */
    private static final int COMMAND_OVERHEAD_BYTES = 96;
    /** A larger entry would not reach the other replicas; nothing that is admitted comes near it. */
    private static final int MAX_ENTRY_BYTES = Limits.MAX_BATCH_BYTES + Limits.MAX_BATCH_BYTES / 2;

    /**
     * A command that waits for its entry, or with it.
     *
     * @param asker null for a command of the leader's own
     */
    record Waiting(Command command, int sizeBytes, @Nullable Asker asker, long arrivedNanos) {}

    /** One entry of the log. */
    record Proposal(long tag, List<Waiting> commands, long proposedNanos) {}

    private final CellDriver driver;
    private final LoopShared shared;
    private final ClientStreams streams;
    private final long term;
    private final CommitWatch commits;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final Map<Long, Proposal> byTag = new TreeMap<>();
    private final Map<Long, Proposal> byIndex = new TreeMap<>();
    private long waitingBytes;
    private long retryNanos = Long.MIN_VALUE;
    private Consumer<Command> onRefused = command -> {};

    ProposalQueue(CellDriver driver, LoopShared shared, ClientStreams streams, long term, CommitWatch commits) {
        this.driver = driver;
        this.shared = shared;
        this.streams = streams;
        this.term = term;
        this.commits = commits;
    }

    /** Sets who is told of each command of a client that will never be applied; not told when the lead is lost. */
    void onRefused(Consumer<Command> listener) {
        onRefused = listener;
    }

    /** A client's command; refused at once if too much waits, or would wait in vain. */
    void add(Command command, int payloadBytes, Asker asker) {
        if (commits.isStalled()) {
            refuse(asker, ErrorCode.UNAVAILABLE, true, CommitWatch.WHY);
            shared.meter().refused(driver.id(), 1);
            onRefused.accept(command);
            return;
        }
        int size = payloadBytes + COMMAND_OVERHEAD_BYTES;
        if (waiting.size() >= MAX_WAITING || waitingBytes + size > MAX_WAITING_BYTES) {
            streams.refuse(asker.stream(), asker.refusalId(), ErrorCode.BUSY, true, "too many requests wait");
            shared.meter().refused(driver.id(), 1);
            onRefused.accept(command);
            return;
        }
        waiting.add(new Waiting(command, size, asker, shared.now()));
        waitingBytes += size;
    }

    /** A decision of the leader. If it gets lost, the keeper of its deadline names it again a second later. */
    void addOwn(Command command, int payloadBytes) {
        int size = payloadBytes + COMMAND_OVERHEAD_BYTES;
        if (waiting.size() >= MAX_WAITING || waitingBytes + size > MAX_WAITING_BYTES || commits.isStalled()) {
            return;
        }
        waiting.add(new Waiting(command, size, null, shared.now()));
        waitingBytes += size;
    }

    long nextDeadlineNanos() {
        return waiting.isEmpty() || byTag.size() >= MAX_IN_FLIGHT ? Long.MAX_VALUE : retryNanos;
    }

    /** Proposes what waits. */
    void flush() {
        while (!waiting.isEmpty() && byTag.size() < MAX_IN_FLIGHT && shared.now() >= retryNanos) {
            proposeOne();
        }
    }

    private void proposeOne() {
        List<Waiting> taken = new ArrayList<>();
        List<Command> commands = new ArrayList<>();
        long size = 0;
        for (Waiting next = waiting.peek(); next != null; next = waiting.peek()) {
            if (!taken.isEmpty() && size + next.sizeBytes() > Limits.MAX_BATCH_BYTES) {
                break; // R8.4
            }
            waiting.remove();
            size += next.sizeBytes();
            taken.add(next);
            commands.add(next.command());
        }
        waitingBytes -= size;
        CommandBatch batch = new CommandBatch(
                term,
                shared.seams().wallMillis().getAsLong(),
                "",
                driver.cell().limits().stateBytes(),
                commands);
        Proposal proposal = new Proposal(driver.nextTag(), taken, shared.now());
        byTag.put(proposal.tag(), proposal);
        byte[] entry = CommandCodec.encode(batch);
        Invariants.check( // R8.4: once it is in the log, nothing behind it would be committed
                entry.length <= MAX_ENTRY_BYTES,
                "an entry of %d bytes for commands that were charged %d",
                entry.length,
                size);
        driver.step(new RaftInput.Propose(proposal.tag(), entry));
    }

    void proposed(long tag, long index) {
        Proposal proposal = byTag.get(tag);
        if (proposal != null) {
            byIndex.put(index, proposal);
        }
    }

    /** The proposal that became the entry at {@code index}, which is applied now. */
    @Nullable
    Proposal applied(long index) {
        Proposal proposal = byIndex.remove(index);
        if (proposal != null) {
            byTag.remove(proposal.tag());
            retryNanos = Long.MIN_VALUE;
        }
        return proposal;
    }

    /** Not in the log and never will be; false if the tag is none of a proposal. */
    boolean refused(long tag, Reason reason) {
        Proposal proposal = byTag.remove(tag);
        if (proposal == null) {
            return false;
        }
        Invariants.check(!byIndex.containsValue(proposal), "proposal %d refused after it had a place", tag, 0);
        ErrorCode code = reason == Reason.BUSY ? ErrorCode.BUSY : ErrorCode.UNAVAILABLE;
        String why = reason == Reason.BUSY ? "too much waits for a majority" : "the lead is being handed over";
        for (Waiting command : proposal.commands()) {
            refuse(command.asker(), code, true, why);
            onRefused.accept(command.command());
        }
        shared.meter().refused(driver.id(), proposal.commands().size());
        retryNanos = shared.now() + shared.settings().raft().heartbeatNanos();
        return true;
    }

    private void refuse(@Nullable Asker asker, ErrorCode code, boolean definite, String why) {
        if (asker != null) {
            streams.refuse(asker.stream(), asker.refusalId(), code, definite, why);
        }
    }

    /** Whether something was proposed and is not applied yet. */
    boolean areOut() {
        return !byTag.isEmpty();
    }

    /** Nothing is being committed: what was not proposed never will be; what was may be applied yet, and is answered then. */
    void refuseWaiting() {
        shared.meter().refused(driver.id(), waiting.size());
        waiting.forEach(command -> refuse(command.asker(), ErrorCode.UNAVAILABLE, true, CommitWatch.WHY));
        waiting.forEach(command -> onRefused.accept(command.command()));
        waiting.clear();
        waitingBytes = 0;
    }

    /** The lead is lost: what was proposed may be committed yet, by another leader; what was not never will be. */
    void deposed(String why) {
        for (Proposal proposal : byTag.values()) {
            for (Waiting command : proposal.commands()) {
                refuse(command.asker(), ErrorCode.UNAVAILABLE, false, why);
            }
            shared.meter().leftUnknown(driver.id(), proposal.commands().size());
        }
        shared.meter().refused(driver.id(), waiting.size());
        waiting.forEach(command -> refuse(command.asker(), ErrorCode.UNAVAILABLE, true, why));
        byTag.clear();
        byIndex.clear();
        waiting.clear();
    }
}
