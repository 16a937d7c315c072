package io.holdfast.simulation.check;

import io.holdfast.cell.AppliedEntry;
import io.holdfast.cell.CellEvent;
import io.holdfast.cell.CellLimits;
import io.holdfast.cell.CellStateMachine;
import io.holdfast.cell.Command;
import io.holdfast.cell.CommandCodec;
import io.holdfast.model.Answer;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import io.holdfast.raft.EntryType;
import io.holdfast.raft.LogEntry;
import io.holdfast.simulation.world.Violation;
import java.util.List;
import java.util.TreeSet;

/**
 * A state machine that follows the committed log without ever crashing or restoring a snapshot; each of its outcomes is
 * compared with the {@link ReferenceModel}, and its digest with those of the replicas.
 */
final class Shadow {
    private static final int PAGE = 200;

    private final ReferenceModel model;
    private final CellStateMachine machine = new CellStateMachine(CellLimits.defaults());

    Shadow(ReferenceModel model) {
        this.model = model;
    }

    long digest() {
        return machine.digest();
    }

    /** What a read of the newest committed state would find. */
    Answer query(Query query) {
        return machine.query(query);
    }

    void apply(LogEntry entry) {
        if (entry.type() != EntryType.COMMAND) {
            machine.applyNothing(entry.index(), entry.term());
            return;
        }
        AppliedEntry applied = machine.apply(entry.index(), entry.term(), entry.data());
        List<Command> commands = CommandCodec.decode(entry.data()).commands();
        TreeSet<Long> begunToHold = new TreeSet<>();
        for (int i = 0; i < commands.size(); i++) {
            begunToHold.addAll(model.apply(
                    entry.index(),
                    entry.term(),
                    commands.get(i),
                    applied.outcomes().get(i)));
        }
        requireGrantEvents(entry, applied, begunToHold, commands);
    }

    /** R4.2: each place that begins to hold is told to its session exactly once. */
    private static void requireGrantEvents(
            LogEntry entry, AppliedEntry applied, TreeSet<Long> begunToHold, List<Command> commands) {
        TreeSet<Long> told = new TreeSet<>();
        for (CellEvent event : applied.events()) {
            if (event instanceof CellEvent.Granted granted
                    && !told.add(granted.token().value())) {
                throw new Violation("one grant event", "two events for " + granted + " in entry " + entry.index());
            }
        }
        if (!told.equals(begunToHold)) {
            throw new Violation(
                    "one grant event",
                    "entry " + entry.index() + " told the places " + told + ", but those that began to hold are "
                            + begunToHold + "; " + commands + " came to " + applied.outcomes());
        }
    }

    /** Slow: the digest from nothing, and every ephemeral place's session. */
    void inspect() {
        if (machine.digest() != machine.recomputeDigest()) {
            throw new Violation("same state", "the digest does not fit the state at entry " + machine.appliedIndex());
        }
        int places = 0;
        NodePath after = NodePath.ROOT;
        boolean more = true;
        while (more) {
            Answer answer = machine.query(new Query.ListPlaces(NodePath.ROOT, after, PAGE));
            if (!(answer instanceof Answer.Places page)) {
                throw new Violation("ephemeral nodes", "places cannot be listed: " + answer);
            }
            for (Answer.PlaceInfo place : page.places()) {
                places++;
                after = place.place();
                if (place.session() != null && !model.isLive(place.session().value())) {
                    throw new Violation("ephemeral nodes", place.place() + " belongs to a session that has ended");
                }
            }
            more = page.more();
        }
        if (places != model.places()) {
            throw new Violation("ephemeral nodes", places + " places stand, there should be " + model.places());
        }
    }
}
