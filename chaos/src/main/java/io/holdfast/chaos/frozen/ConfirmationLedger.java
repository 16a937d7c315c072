package io.holdfast.chaos.frozen;

import io.holdfast.model.NodePath;
import io.holdfast.model.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one session asked of the old leader besides reads, and what was confirmed.
 *
 * <p>A KeepAlive sent to a stopped leader can be confirmed by nobody: that leader has been deposed, and a stream that was
 * interrupted speaks for no session until it attaches again (R2.6, R3.5), which this one never does. A change may be
 * confirmed if it was committed; whether it was is asked of the cell at the end of the round.
 *
 * <p><b>Thread:</b> any.
 */
final class ConfirmationLedger {
    private final NodePath heldLock;
    private final Map<Long, Phase> keepAlives = new HashMap<>();
    private final Map<Long, Asked> requests = new HashMap<>();
    private final List<Confirmed> confirmed = new ArrayList<>();
    private Phase phase = Phase.BEFORE;
    private long lastSendNumber;
    private long lastId;
    private long keepAlivesAsked;
    private long changesAsked;

    private record Asked(Phase phase, NodePath path) {}

    /**
     * A change that was confirmed.
     *
     * @param asked when it was sent
     * @param node that must exist
     * @param revision at which it was made
     */
    record Confirmed(Phase asked, NodePath node, long revision) {}

    /** @param heldLock that somebody else holds throughout */
    ConfirmationLedger(NodePath heldLock) {
        this.heldLock = heldLock;
    }

    synchronized void enter(Phase next) {
        phase = next;
    }

    /** The number to send it under. */
    synchronized long keepAlive() {
        keepAlives.put(++lastSendNumber, phase);
        keepAlivesAsked += phase == Phase.BEFORE ? 0 : 1;
        return lastSendNumber;
    }

    /** What is wrong with this confirmation, if anything. */
    synchronized Optional<String> acknowledged(long sendNumber, boolean renewed) {
        Phase sent = keepAlives.remove(sendNumber);
        if (sent == null || !renewed) {
            return Optional.empty();
        }
        return sent == Phase.BEFORE
                ? Optional.empty()
                : Optional.of("a KeepAlive sent to the old leader (" + sent + ") was confirmed");
    }

    /** The id to send it under. */
    synchronized long change(NodePath path) {
        requests.put(++lastId, new Asked(phase, path));
        changesAsked += phase == Phase.BEFORE ? 0 : 1;
        return lastId;
    }

    /** What is wrong with this outcome, as far as can be told at once. */
    synchronized Optional<String> answered(long id, Outcome outcome) {
        Asked asked = requests.remove(id);
        if (asked == null) {
            return Optional.empty();
        }
        if (outcome instanceof Outcome.Written written) {
            confirmed.add(new Confirmed(asked.phase(), written.path(), written.revision()));
        } else if (outcome instanceof Outcome.Placed placed && placed.held()) {
            if (asked.path().equals(heldLock)) {
                return Optional.of("a lock that another client holds was granted by the old leader (asked "
                        + asked.phase() + ") as " + placed);
            }
            confirmed.add(
                    new Confirmed(asked.phase(), placed.place(), placed.token().value()));
        }
        return Optional.empty();
    }

    synchronized List<Confirmed> confirmed() {
        return List.copyOf(confirmed);
    }

    /** KeepAlives that were sent after the leader was stopped. */
    synchronized long keepAlivesAsked() {
        return keepAlivesAsked;
    }

    /** Changes that were asked for after the leader was stopped. */
    synchronized long changesAsked() {
        return changesAsked;
    }
}
