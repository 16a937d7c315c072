package io.holdfast.simulation.workload;

import io.holdfast.client.session.SessionEvent;
import io.holdfast.model.Answer;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import io.holdfast.simulation.check.CacheCheck;
import io.holdfast.simulation.process.SimClient;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.World;
import java.util.Map;
import java.util.TreeMap;

/** Reads the same few values all the time, one after the other, as an application reads its flags. */
final class HotReads {
    private static final long TIMEOUT_NANOS = 2 * World.SECOND;

    private final SimClient client;
    private final WorkloadConfig config;
    private final Rng rng;
    private final CacheCheck check;
    /** What is asked for and not answered. */
    private final Map<Long, NodePath> asked = new TreeMap<>();

    private boolean stopped;

    HotReads(World world, SimClient client, WorkloadConfig config, CacheCheck check) {
        this.client = client;
        this.config = config;
        this.rng = world.rng().split();
        this.check = check;
    }

    /** Begins with a new life of the process. */
    void start() {
        asked.clear();
        check.forget();
        if (config.hotReadNanos() > 0) {
            next();
        }
    }

    private void next() {
        client.later(rng.exponential(config.hotReadNanos()), EventKind.WORKLOAD, () -> {
            if (!stopped) {
                NodePath path = new NodePath("/config/k" + rng.below(config.keys()));
                long call = client.nextCallId();
                asked.put(call, path);
                client.step(new SessionEvent.Read(call, new Query.GetValue(path), TIMEOUT_NANOS));
            }
        });
    }

    void stop() {
        stopped = true;
    }

    /** Whether nothing is asked for that is not answered. */
    boolean isQuiet() {
        return asked.isEmpty();
    }

    /** Whether the answer was for one of these. */
    boolean answered(long call, Answer answer) {
        boolean mine = asked.remove(call) != null;
        if (mine) {
            check.read((Answer.Value) answer);
            next();
        }
        return mine;
    }

    boolean failed(long call) {
        boolean mine = asked.remove(call) != null;
        if (mine) {
            next();
        }
        return mine;
    }
}
