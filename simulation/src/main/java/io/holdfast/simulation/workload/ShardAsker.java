package io.holdfast.simulation.workload;

import io.holdfast.client.session.Failure;
import io.holdfast.client.session.Hold;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.client.session.SessionState;
import io.holdfast.model.Answer;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.Shards;
import io.holdfast.simulation.check.CellChecks;
import io.holdfast.simulation.check.Checks;
import io.holdfast.simulation.process.ClientApp;
import io.holdfast.simulation.process.SimClient;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.Violation;
import io.holdfast.simulation.world.World;
import io.holdfast.storage.CellId;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Asks one shard after the other for its status, through whichever front end the client is at. What it is told comes from that
 * shard, and from no state older than what was committed when it asked (R2.6).
 */
public final class ShardAsker implements ClientApp {
    private static final long PATIENCE_NANOS = 5 * World.SECOND;

    private record Asked(int shard, long committedIndex) {}

    private final World world;
    private final SimClient client;
    private final CellChecks checks;
    private final int shards;
    private final long everyNanos;
    private final Map<Long, Asked> asked = new TreeMap<>();
    /** Answered since {@link #askAllAgain}. */
    private final TreeSet<Integer> answered = new TreeSet<>();

    private int next;
    /** Chains of questions of earlier lives end. */
    private int life;

    public ShardAsker(World world, SimClient client, CellChecks checks, long everyNanos) {
        this.world = world;
        this.client = client;
        this.checks = checks;
        this.shards = checks.shards().size();
        this.everyNanos = everyNanos;
    }

    public void askAllAgain() {
        answered.clear();
    }

    public boolean isAnsweredByAll() {
        return answered.size() == shards;
    }

    @Override
    public void started() {
        life++;
        askLater(life);
    }

    private void askLater(int ofLife) {
        client.later(everyNanos, EventKind.WORKLOAD, () -> {
            if (ofLife == life) {
                ask();
                askLater(ofLife);
            }
        });
    }

    private void ask() {
        int shard = next++ % shards;
        long committed = checksOf(shard).log().committedIndex();
        long callId = client.nextCallId();
        asked.put(callId, new Asked(shard, committed));
        client.step(new SessionEvent.Read(callId, new Query.ShardStatus(shard), PATIENCE_NANOS));
    }

    private Checks checksOf(int shard) {
        return checks.of(new CellId(Shards.cellName(shard)));
    }

    @Override
    public void answered(long callId, Answer answer) {
        Asked question = asked.remove(callId);
        if (question == null || !(answer instanceof Answer.Status status)) {
            return;
        }
        if (!status.cell().equals(Shards.cellName(question.shard()))) {
            throw new Violation("routing (R7.4)", "asked shard " + question.shard() + ", answered by " + status.cell());
        }
        if (status.appliedIndex() < question.committedIndex()) {
            throw new Violation(
                    "leadership check (R2.6)",
                    status.cell() + " answers from entry " + status.appliedIndex() + " although "
                            + question.committedIndex() + " was committed before it was asked");
        }
        answered.add(question.shard());
        world.coverage().seen(Seen.SHARD_ANSWERED);
    }

    @Override
    public void failed(long callId, Failure failure) {
        if (asked.remove(callId) != null) {
            world.coverage().seen(Seen.SHARD_UNANSWERED);
        }
    }

    @Override
    public void granted(long callId, Hold hold) {}

    @Override
    public void completed(long callId, Outcome outcome) {}

    @Override
    public void stateChanged(SessionState state) {}

    @Override
    public void holdLost(Hold hold) {}

    @Override
    public void died() {
        asked.clear();
    }
}
