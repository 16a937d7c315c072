package io.holdfast.cli.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A command that runs as a session and process group of its own, with a watchdog beside it that ends it when this process
 * cannot.
 *
 * <p><b>Thread:</b> one, but the futures complete on others.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>When this process dies, the watchdog reads end of input and kills the group.
 *   <li>When this process is stopped, the watchdog acts on the lease it was told last.
 *   <li>The command begins only when it leads its group, the watchdog knows that, and the lease is not over, where the
 *       system has what that takes (see {@link Watchdog}).
 *   <li>{@link #kill()} does not depend on the watchdog.
 * </ol>
 */
public final class ChildGroup implements CommandGroup {
    /**
     * By this variable the watchdog finds a child whose group it was not told. Not by {@code HOLDFAST_SESSION}: commands under
     * locks of two cells may have the same.
     */
    static final String MARK_VARIABLE = "HOLDFAST_WATCHDOG";

    private static final long LEADING_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long TELL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long PROBE_MILLIS = 1_000;
    private static final int KILLED_STATUS = 128 + 9;

    private final Watchdog watchdog;
    private final Process child;

    private ChildGroup(Watchdog watchdog, Process child) {
        this.watchdog = watchdog;
        this.child = child;
    }

    /** A watchdog that waits for its child: started early, so that no time is lost while the lock is held. */
    public static final class Prepared {
        private final Watchdog watchdog;

        Prepared(Watchdog watchdog) {
            this.watchdog = watchdog;
        }

        /**
         * Waits for the watchdog to be up, as it should be by now; bounded.
         *
         * @throws CannotRunException if it is not
         */
        public void awaitReady() {
            try {
                var unused = watchdog.gate();
            } catch (IOException notUp) {
                throw new CannotRunException(126, String.valueOf(notUp.getMessage()));
            }
        }

        /**
         * Starts the command with the standard streams of this process.
         *
         * <p>This process may be stopped or killed at any moment, so the watchdog knows how to find the child, and when to
         * end it, before there is one.
         *
         * @param environment added to this process' environment; entries with an empty value are removed
         * @param lease asked for at each step; null if the child is to be left alone when its lease ends
         * @return empty if the lease was over before the command began: it never does then
         * @throws CannotRunException if there is no such command or it cannot be run
         */
        public Optional<ChildGroup> start(
                List<String> command, Map<String, String> environment, Supplier<@Nullable ChildLease> lease) {
            Process child = launch(command, environment, lease);
            boolean leads = awaitLeading(child, lease);
            if (!watchdog.hasGate()) {
                // It is the command already, and ended as one.
                watchdog.group(child.pid(), lease.get());
                return Optional.of(new ChildGroup(watchdog, child));
            }
            if (!leads) {
                child.destroyForcibly();
                throw new CannotRunException(
                        126, command.get(0) + ": does not come to lead a process group; it was not run");
            }
            ChildLease left = lease.get();
            if (left != null && left.isOver()) {
                child.destroyForcibly(); // it stands at the gate
                return Optional.empty();
            }
            watchdog.group(child.pid(), left);
            return Optional.of(new ChildGroup(watchdog, child));
        }

        /**
         * Until the child leads its group, a signal to the group would reach nobody. It takes about a millisecond. Whether it
         * does, or has ended.
         */
        private boolean awaitLeading(Process child, Supplier<@Nullable ChildLease> lease) {
            long startNanos = System.nanoTime();
            long toldNanos = startNanos;
            while (child.isAlive() && !SessionMembers.leadsSession(child.pid()).orElse(!watchdog.hasGate())) {
                long nowNanos = System.nanoTime();
                if (nowNanos - startNanos > LEADING_NANOS) {
                    return false;
                }
                if (nowNanos - toldNanos > TELL_NANOS) {
                    Optional.ofNullable(lease.get()).ifPresent(watchdog::lease); // it may have been renewed
                    toldNanos = nowNanos;
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
            return true;
        }

        /** Starts it without telling its group: what is left if this process dies in between. */
        Process launch(List<String> command, Map<String, String> environment, Supplier<@Nullable ChildLease> lease) {
            ProcessBuilder builder = new ProcessBuilder().inheritIO();
            environment.forEach((name, value) -> {
                if (value.isEmpty()) {
                    builder.environment().remove(name);
                } else {
                    builder.environment().put(name, value);
                }
            });
            builder.environment().put(MARK_VARIABLE, watchdog.mark());
            requireRunnable(command.get(0), builder.environment().get("PATH"));
            try {
                List<String> line = new ArrayList<>(watchdog.gate());
                line.addAll(command);
                builder.command(SessionLeader.command(line));
                watchdog.expect(lease.get());
                return builder.start();
            } catch (IOException failed) {
                throw new CannotRunException(126, command.get(0) + ": cannot be run: " + failed.getMessage());
            }
        }

        /** Ends the watchdog of a command that never began. */
        public void cancel() {
            watchdog.finish();
        }

        private static void requireRunnable(String command, @Nullable String path) {
            Optional<Path> file = CommandPath.find(command, path);
            if (file.isEmpty()) {
                throw new CannotRunException(127, command + ": command not found");
            }
            if (!CommandPath.isExecutable(file.get())) {
                throw new CannotRunException(126, file.get() + ": not executable");
            }
        }
    }

    /** The command could not be started; the status is what a shell would report. */
    public static final class CannotRunException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final int exitStatus;

        CannotRunException(int exitStatus, String message) {
            super(message);
            this.exitStatus = exitStatus;
        }

        public int exitStatus() {
            return exitStatus;
        }
    }

    /**
     * Starts the watchdog.
     *
     * @throws CannotRunException if this system lacks what it takes
     */
    public static Prepared prepare() {
        try {
            return new Prepared(Watchdog.start());
        } catch (IOException failed) {
            throw new CannotRunException(126, "the watchdog cannot be started: " + failed.getMessage());
        }
    }

    @Override
    public CompletableFuture<Process> onExit() {
        return child.onExit();
    }

    @Override
    public CompletableFuture<Process> onUnguarded() {
        return watchdog.onExit();
    }

    @Override
    public boolean isGuarded() {
        return watchdog.isAlive();
    }

    /** What the command exited with; 128 + n if signal n ended it. */
    public int exitStatus() {
        return child.exitValue();
    }

    @Override
    public boolean isCommandAlive() {
        return child.isAlive();
    }

    @Override
    public boolean wasKilled() {
        return exitStatus() == KILLED_STATUS;
    }

    @Override
    public boolean isGone() {
        if (child.isAlive()) {
            return false;
        }
        return SessionMembers.living(child.pid()).map(List::isEmpty).orElseGet(this::hasNoGroup);
    }

    /** What can be told without {@code /proc}; what cannot be told is not gone. */
    private boolean hasNoGroup() {
        try {
            Process probe = kill("-0");
            return probe.waitFor(PROBE_MILLIS, TimeUnit.MILLISECONDS) && probe.exitValue() != 0;
        } catch (IOException noKillProgram) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Process kill(String signal) throws IOException {
        return new ProcessBuilder("kill", signal, "--", "-" + child.pid())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    @Override
    public void lease(ChildLease lease) {
        watchdog.lease(lease);
    }

    @Override
    public void signal(String name) {
        if (watchdog.isAlive()) {
            watchdog.signal(name);
            return;
        }
        try {
            var unused = kill("-" + name);
        } catch (IOException noKillProgram) {
            child.destroy();
        }
    }

    @Override
    public void term(long killAfterNanos) {
        if (watchdog.isAlive()) {
            watchdog.term(killAfterNanos);
        } else {
            child.destroy();
            SessionMembers.living(child.pid()).orElse(List.of()).forEach(ProcessHandle::destroy);
        }
    }

    @Override
    public void kill() {
        child.destroyForcibly();
        watchdog.kill();
        SessionMembers.living(child.pid()).orElse(List.of()).forEach(ProcessHandle::destroyForcibly);
    }

    @Override
    public boolean finish() {
        return watchdog.finish();
    }
}
