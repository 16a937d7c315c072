package io.holdfast.proxy.grpc;

import io.holdfast.model.Shards;
import io.holdfast.protocol.frame.LeadersView;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.proxy.core.LeaderViews;
import io.holdfast.proxy.core.LeaderViews.Known;
import io.holdfast.proxy.core.LeaderViews.News;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the leader of a cell from outside: asks every upstream who leads and follows what they say ({@link LeaderViews}).
 *
 * <p><b>Thread:</b> any; the listener is called on the executor.
 */
public final class LeaderFinder implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LeaderFinder.class);
    /** How often it is looked who has fallen silent. */
    private static final long LOOK_MILLIS = 100;
    /** Looks without any answer after which that is said. */
    private static final int LOOKS_BEFORE_WORRY = 30;

    /** Hears what is found. */
    public interface Listener {
        /** Of which cell this is a front end: first, and again if it was set up anew (C115). */
        void found(String cell, String deployment, Shards shards);

        /** Where a replica can be reached from now on. */
        void located(String replica, String address);

        /** As {@link io.holdfast.proxy.core.FrontEnd#leaderKnown}. */
        void leaderKnown(@Nullable String leader, long term);

        /** The same for a shard. */
        void leaderKnown(String shard, @Nullable String leader, long term);
    }

    private final List<String> upstreams;
    private final WireThreads threads;
    private final ScheduledExecutorService executor;
    private final Listener listener;
    private final UpstreamNames names;

    /** The executor's, as all below. */
    private final LeaderViews views = new LeaderViews();

    private final Map<String, LeaderScout> scouts = new TreeMap<>();
    private final Map<String, String> located = new TreeMap<>();
    private final Set<String> foreign = new HashSet<>();
    private String firstCell = "";
    /** By cell. */
    private final Map<String, Known> told = new TreeMap<>();

    private int looksInVain;
    /** Looks in a row at which the leader was none of the upstreams. */
    private int looksWithoutLeader;

    private boolean closed;
    private volatile int hearing;
    private @Nullable Future<?> looks;

    /**
     * @param upstreams {@code host:port} of the replicas' client ports; an IPv6 host in brackets
     * @param executor one thread of {@code threads}
     */
    public LeaderFinder(
            List<String> upstreams, WireThreads threads, ScheduledExecutorService executor, Listener listener) {
        this.upstreams = List.copyOf(upstreams);
        this.threads = threads;
        this.executor = executor;
        this.listener = listener;
        this.names = new UpstreamNames(upstreams, addresses -> post(() -> ask(addresses)));
    }

    public void start() {
        looks = executor.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        names.start();
    }

    private void post(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException ended) {
            log.debug("the network has ended");
        }
    }

    private void ask(TreeSet<String> addresses) {
        views.asked(addresses);
        scouts.entrySet().removeIf(each -> {
            boolean gone = !addresses.contains(each.getKey());
            if (gone) {
                each.getValue().stop();
            }
            return gone;
        });
        for (String address : addresses) {
            if (!closed && !scouts.containsKey(address)) {
                LeaderScout scout = new LeaderScout(address, threads, executor, this::heard);
                scouts.put(address, scout);
                scout.start();
            }
        }
    }

    private void heard(String address, LeadersView view) {
        if (closed || !scouts.containsKey(address)) {
            return;
        }
        News news = views.heard(address, view, System.nanoTime());
        if (news == News.UNDECIDED) {
            return;
        }
        if (news == News.FOREIGN) {
            if (foreign.add(address)) {
                log.warn(
                        "upstream {} is a replica of another deployment ({}) than the others and is not asked: correct the"
                                + " list of upstreams",
                        address,
                        view.deployment());
            }
            return;
        }
        foreign.remove(address);
        if (news == News.ADOPTED) {
            told.clear();
            located.clear();
            foreign.clear();
            firstCell = view.first().cell();
            listener.found(firstCell, view.deployment(), new Shards(view.shards()));
            views.ours().forEach(this::locate);
        } else {
            locate(address, view);
        }
        tell();
    }

    private void locate(String address, LeadersView view) {
        if (!address.equals(located.put(view.replica(), address))) {
            listener.located(view.replica(), address);
        }
    }

    /** What has fallen silent changes who is known to lead. */
    private void look() {
        long time = System.nanoTime();
        views.look(time);
        tell();
        int now = views.hearing(time);
        if (now > 0) {
            if (looksInVain >= LOOKS_BEFORE_WORRY) {
                log.info("an upstream answers again");
            }
            looksInVain = 0;
        } else if (++looksInVain == LOOKS_BEFORE_WORRY) {
            log.warn(
                    views.hearingOthers(time) > 0
                            ? "the upstreams speak for no deployment that can be followed: {}; see whether all are of one"
                                    + " cell and most of them run"
                            : "none of the upstreams answers: {}; see whether the replicas run and can be reached from"
                                    + " here",
                    String.join(", ", upstreams));
        }
        hearing = now;
        lookForTheLeader();
    }

    /** A leader that no upstream is cannot be reached: what its clients hear is only that, so it is said here why. */
    private void lookForTheLeader() {
        Known first = told.get(firstCell);
        String leader = first == null ? null : first.leader();
        if (leader == null || located.containsKey(leader)) {
            looksWithoutLeader = 0;
        } else if (++looksWithoutLeader == LOOKS_BEFORE_WORRY) {
            log.warn(
                    "{} leads, and none of the upstreams is {}: list the client ports of all replicas", leader, leader);
        }
    }

    private void tell() {
        if (closed) {
            return;
        }
        views.known(System.nanoTime()).forEach((cell, known) -> {
            if (known.equals(told.put(cell, known))) {
                return;
            }
            if (cell.equals(firstCell)) {
                listener.leaderKnown(known.leader(), known.term());
            } else {
                listener.leaderKnown(cell, known.leader(), known.term());
            }
        });
    }

    /** How many upstreams answer. */
    public int hearing() {
        return hearing;
    }

    @Override
    public void close() {
        names.close();
        post(() -> {
            closed = true;
            Future<?> timer = looks;
            if (timer != null) {
                timer.cancel(false);
            }
            scouts.values().forEach(LeaderScout::stop);
            scouts.clear();
        });
    }
}
