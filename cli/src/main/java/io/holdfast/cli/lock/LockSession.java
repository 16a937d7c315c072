package io.holdfast.cli.lock;

import io.holdfast.cli.lock.LossPolicy.OnLost;
import io.holdfast.cli.process.CaughtSignal;
import io.holdfast.cli.process.ChildGroup;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.Durations;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.cli.support.GlobalOptions;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.SessionView;
import io.holdfast.model.SessionId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of {@code holdfast lock} or {@code holdfast elect}: wait, hold, run, release.
 *
 * <p><b>Thread:</b> one. While it waits for the lock it notices a signal within a fraction of a second and leaves no place in
 * the queue (C111); the command is started only if none came before.
 */
final class LockSession {
    /** A signal must end the wait within a second, also when no cell answers. */
    static final Duration CLOSE_TIMEOUT = Duration.ofMillis(600);

    private static final long FOREVER_NANOS = TimeUnit.DAYS.toNanos(36_500);

    private final HoldfastClient client;
    private final Settings settings;
    private final Console console;
    private final GlobalOptions options;
    private final Events events;
    /** Closing the session would give the lock back. */
    private boolean keepsSession;

    /**
     * What to do.
     *
     * @param what is taken, in words: the lock, or the lead, of a path
     * @param command empty: print the token and hold
     * @param killAfter time between TERM and KILL
     */
    record Settings(String what, List<String> command, Duration killAfter, OnLost onLost) {}

    LockSession(HoldfastClient client, Settings settings, Console console, GlobalOptions options) {
        this.client = client;
        this.settings = settings;
        this.console = console;
        this.options = options;
        this.events = Events.catching();
    }

    /**
     * All of it.
     *
     * @param taking makes what is to be taken; may find that its path is bad
     * @param limit how long to wait in the queue; null without bound
     * @return the exit status
     */
    int run(Supplier<Taking> taking, @Nullable Duration limit) {
        ChildGroup.Prepared prepared = null;
        try {
            prepared = settings.command().isEmpty() ? null : ChildGroup.prepare();
            TakenHold hold = acquire(taking.get(), limit);
            return prepared == null ? holdOpen(hold) : runCommand(hold, prepared);
        } catch (ChildGroup.CannotRunException cannot) {
            throw CliException.withStatus(cannot.exitStatus(), "CANNOT_RUN", String.valueOf(cannot.getMessage()));
        } catch (RuntimeException failed) {
            if (prepared != null && !keepsSession) {
                prepared.cancel(); // else the watchdog kills what may be left when this process ends
            }
            throw failed;
        } finally {
            if (!keepsSession) {
                client.close();
            }
        }
    }

    // ---- waiting

    private TakenHold acquire(Taking taking, @Nullable Duration limit) {
        CompletableFuture<Optional<TakenHold>> future = taking.begin(limit);
        CompletableFuture<?> asked = future;
        var unused = future.whenComplete((hold, problem) -> events.wake());
        while (!future.isDone()) {
            Optional<CaughtSignal> signal = events.await(FOREVER_NANOS);
            if (signal.isPresent()) {
                asked.cancel(true);
                throw endedBy(signal.get());
            }
        }
        TakenHold hold = granted(future).orElseThrow(() -> notAcquired(limit));
        Optional<CaughtSignal> late = events.await(0);
        if (late.isPresent()) {
            release(hold, true);
            throw endedBy(late.get());
        }
        return hold;
    }

    private static Optional<TakenHold> granted(CompletableFuture<Optional<TakenHold>> future) {
        try {
            return future.join();
        } catch (CompletionException | CancellationException failed) {
            if (failed.getCause() instanceof HoldfastException known) {
                throw known;
            }
            throw failed;
        }
    }

    private CliException notAcquired(@Nullable Duration limit) {
        return CliException.of(
                ExitStatus.NOT_ACQUIRED,
                "HELD",
                settings.what() + " is held by another"
                        + (limit == null || limit.isZero()
                                ? ""
                                : "; it was not given back within " + Durations.format(limit)));
    }

    private CliException endedBy(CaughtSignal signal) {
        return CliException.withStatus(
                signal.exitStatus(),
                "SIGNAL",
                "ended by signal " + signal.name() + " before " + settings.what() + " was held");
    }

    // ---- holding

    private int runCommand(TakenHold hold, ChildGroup.Prepared prepared) {
        long killAfterNanos = settings.killAfter().toNanos();
        LossPolicy policy = new LossPolicy(settings.onLost(), killAfterNanos);
        StoppableHold held = new StoppableHold(hold, killAfterNanos, events, this::note);
        Map<String, String> environment = environment(hold);
        Optional<ChildGroup> started = Optional.empty();
        try {
            prepared.awaitReady();
            if (policy.at(held.remainingNanos()) == LossPolicy.Action.RUN) {
                started = prepared.start(
                        settings.command(), environment, () -> policy.watchdogLease(held.remainingNanos()));
            }
        } catch (ChildGroup.CannotRunException cannot) {
            prepared.cancel();
            held.commandIsGone();
            release(hold);
            throw cannot;
        }
        if (started.isEmpty()) {
            // This process was stopped since the grant: another may hold already.
            prepared.cancel();
            held.commandIsGone();
            release(hold);
            throw lost(hold, held.why());
        }
        ChildGroup child = started.get();
        GuardedRun.End end;
        try {
            end = new GuardedRun(child, held, policy, events, killAfterNanos, GuardedRun.GONE_NANOS, this::note).run();
        } catch (RuntimeException | Error broken) {
            keepsSession = true; // whether it is gone is not known
            child.kill();
            throw broken;
        }
        if (end == GuardedRun.End.NOT_GONE) {
            keepsSession = true;
            throw notGone(hold);
        }
        held.commandIsGone();
        int status = child.exitStatus();
        release(hold, askedToEnd(status));
        if (end == GuardedRun.End.LOST) {
            throw lost(hold, held.why());
        }
        return status;
    }

    private Map<String, String> environment(TakenHold hold) {
        Map<String, String> environment = new LinkedHashMap<>(LauncherLocale.original());
        environment.put("HOLDFAST_LOCK", hold.path());
        environment.put("HOLDFAST_TOKEN", Long.toString(hold.token()));
        environment.put("HOLDFAST_SESSION", session().map(SessionId::toString).orElse(""));
        environment.put("HOLDFAST_ENDPOINTS", options.endpoints());
        return environment;
    }

    private Optional<SessionId> session() {
        return client.session().map(SessionView::id);
    }

    /** Prints the token and waits for end of input, a signal, or the loss of the lock. */
    private int holdOpen(TakenHold hold) {
        try {
            printToken(hold);
        } catch (CliException unwritten) {
            release(hold);
            throw unwritten; // nobody knows that it is held
        }
        AtomicReference<String> why = new AtomicReference<>("");
        hold.onLost(reason -> {
            why.set(": " + reason);
            events.wake();
        });
        CompletableFuture<Void> end = InputEnd.watch();
        var unused = end.thenRun(events::wake);
        while (!end.isDone()) {
            Optional<CaughtSignal> signal = events.await(FOREVER_NANOS);
            if (!hold.isHeld()) {
                release(hold);
                throw lost(hold, Objects.requireNonNullElse(why.get(), ""));
            }
            if (signal.isPresent()) {
                release(hold, true);
                return signal.get().exitStatus();
            }
        }
        boolean held = hold.isHeld();
        release(hold);
        if (!held) {
            throw lost(hold, Objects.requireNonNullElse(why.get(), ""));
        }
        return ExitStatus.DONE.number();
    }

    private void printToken(TakenHold hold) {
        if (options.isJson()) {
            Long session = session().map(SessionId::value).orElse(null);
            console.result(Json.write(Json.object("lock", hold.path(), "token", hold.token(), "session", session)));
        } else {
            console.result(Long.toString(hold.token()));
        }
    }

    /** Whether a signal that came while the command ran meant this process too; others are the command's own affair. */
    private boolean askedToEnd(int status) {
        return events.caught(signal -> signal.name().equals("TERM") || signal.exitStatus() == status);
    }

    private void release(TakenHold hold) {
        release(hold, false);
    }

    /** Only when nothing of the command is left. */
    private void release(TakenHold hold, boolean askedToEnd) {
        if (!new GivingBack(events, options.callTimeout()).await(hold.release(), askedToEnd)) {
            note("the release of " + settings.what() + " was not confirmed; it ends with its lease at the latest");
        }
    }

    private CliException lost(TakenHold hold, String why) {
        return CliException.of(
                ExitStatus.LOST,
                "LOST",
                settings.what() + " with token " + hold.token() + " was lost while it was needed" + why);
    }

    private CliException notGone(TakenHold hold) {
        return CliException.of(
                ExitStatus.LOST,
                "LOST",
                "some processes of the command cannot be killed; " + settings.what() + " with token " + hold.token()
                        + " is not released and ends with its lease, whether they are gone or not");
    }

    private void note(String message) {
        if (!options.isQuiet()) {
            console.note("holdfast: " + message);
        }
    }
}
