package io.holdfast.simulation.workload;

import io.holdfast.client.session.SessionAction;
import io.holdfast.client.session.SessionEvent;
import io.holdfast.model.Answer;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.simulation.check.Checks;
import io.holdfast.simulation.check.WatchCheck;
import io.holdfast.simulation.process.SimClient;
import io.holdfast.simulation.world.EventKind;
import io.holdfast.simulation.world.Rng;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.World;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An application's watches: listeners that stay, single watches that are armed again and again, some withdrawn.
 *
 * <p>They begin anew with each session, as an application must.
 */
final class Watchers {
    private final World world;
    private final SimClient client;
    private final WorkloadConfig config;
    private final Checks checks;
    private final Rng rng;
    private final int listeners;
    private final int singles;
    /** What is asked for with a watch and not answered. */
    private final Map<Long, Query> asked = new TreeMap<>();

    private WatchCheck check;
    private long machine;
    private boolean stopped;

    Watchers(World world, SimClient client, WorkloadConfig config, Checks checks) {
        this.world = world;
        this.client = client;
        this.config = config;
        this.checks = checks;
        this.rng = world.rng().split();
        this.listeners = rng.pick(0, 1, 3);
        this.singles = rng.pick(0, 1, 3);
        this.check = newCheck();
    }

    private WatchCheck newCheck() {
        return new WatchCheck(checks, "client " + client.hostId());
    }

    /** Begins with the present session, a moment from now. */
    void begin() {
        asked.clear();
        check = newCheck();
        machine = client.machines();
        for (int i = 0; i < listeners; i++) {
            later(this::listen);
        }
        for (int i = 0; i < singles; i++) {
            later(this::arm);
        }
    }

    private void later(Runnable what) {
        long of = machine;
        client.later(rng.exponential(config.thinkNanos()), EventKind.WORKLOAD, () -> {
            if (!stopped && client.machines() == of && !client.state().isOver()) {
                what.run();
            }
        });
    }

    private Query any() {
        return switch (rng.below(6)) {
            case 0 -> new Query.ListChildren(new NodePath("/config"), "", Limits.MAX_PAGE_ENTRIES);
            case 1, 2 -> list("/locks/l" + rng.below(config.locks()));
            case 3 -> new Query.Stat(key());
            default -> new Query.GetValue(key());
        };
    }

    /** Short pages, so that there are several. */
    private Query list(String path) {
        return new Query.ListChildren(new NodePath(path), "", rng.chance(0.5) ? 2 : Limits.MAX_PAGE_ENTRIES);
    }

    private NodePath key() {
        return new NodePath("/config/k" + rng.below(config.keys()));
    }

    private void listen() {
        long id = client.nextCallId();
        Query query = any();
        check.listening(id, query);
        client.step(new SessionEvent.Listen(id, query));
        if (rng.chance(0.1)) {
            later(() -> {
                client.step(new SessionEvent.Unwatch(id)); // may first tell of a clock that has jumped
                check.ended(id);
                later(this::listen);
            });
        }
    }

    private void arm() {
        long id = client.nextCallId();
        Query query = any();
        asked.put(id, query);
        client.step(new SessionEvent.Watch(id, query, rng.pick(Long.MAX_VALUE, 10 * World.SECOND, 20 * World.MILLI)));
        if (rng.chance(0.2)) {
            later(() -> withdraw(id));
        }
    }

    private void withdraw(long id) {
        if (asked.remove(id) != null) {
            client.step(new SessionEvent.Cancel(id)); // it fails as cancelled, and another is armed
            later(this::arm);
        } else if (check.isArmed(id)) {
            world.coverage().seen(Seen.WATCH_WITHDRAWN);
            client.step(new SessionEvent.Unwatch(id));
            check.ended(id);
            later(this::arm);
        }
    }

    /** Withdraws all that it has, for good. */
    void stop() {
        stopped = true;
        if (client.isAlive()) {
            List.copyOf(asked.keySet()).forEach(id -> client.step(new SessionEvent.Cancel(id)));
            for (long id : check.all()) {
                check.ended(id);
                client.step(new SessionEvent.Unwatch(id));
            }
        }
    }

    /** A read or write of a value was answered. */
    void shown(Answer answer) {
        if (answer instanceof Answer.Value value && value.value() != null) {
            check.shown(value.path().value(), value.modifyRevision());
        } else if (answer instanceof Answer.Value none) {
            check.shownGone(none.path().value());
        }
    }

    void shown(Outcome outcome) {
        check.shown(outcome);
    }

    /** Whether a failed call was a watch's. */
    boolean failed(long id) {
        if (asked.remove(id) == null) {
            return false;
        }
        later(this::arm);
        return true;
    }

    void on(SessionAction action) {
        if (action instanceof SessionAction.Watching watching) {
            Query query = asked.remove(watching.callId());
            if (query != null) {
                world.coverage().seen(Seen.WATCH_ARMED);
                check.armed(watching.callId(), query, watching.answer(), watching.seenRevision());
            }
        } else if (action instanceof SessionAction.WatchFired fired) {
            world.coverage().seen(Seen.WATCH_FIRED);
            check.fired(fired.callId(), fired.revision());
            later(this::arm);
        } else if (action instanceof SessionAction.WatchEnded ended) {
            world.coverage().seen(Seen.WATCH_ENDED);
            check.ended(ended.id());
        } else if (action instanceof SessionAction.Observed observed) {
            world.coverage().seen(Seen.LISTENER_TOLD);
            check.observed(observed.listenId(), observed.answer());
        } else if (action instanceof SessionAction.Unsure unsure) {
            world.coverage().seen(Seen.LISTENER_UNSURE);
            check.unsure(unsure.listenId());
        } else if (action instanceof SessionAction.SureAgain again) {
            world.coverage().seen(Seen.LISTENER_SURE_AGAIN);
            check.sureAgain(again.listenId());
        }
    }

    /** What is not known although everything is well; null if all is. */
    @Nullable
    String missing() {
        if (!client.isAlive() || client.state().isOver()) {
            return null;
        }
        String missing = asked.isEmpty() ? check.missing() : "watches " + asked.keySet() + " are not answered";
        if (missing == null) {
            world.coverage().seen(Seen.LISTENER_UP_TO_DATE, check.listeners());
        }
        return missing;
    }
}
