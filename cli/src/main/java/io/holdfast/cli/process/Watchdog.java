package io.holdfast.cli.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The helper process that can signal a whole group and that outlives this process for as long as it takes to end the child
 * (ADR 0005). What it does is written in {@code watchdog.bash}.
 *
 * <p><b>The gate:</b> it holds a file lock that the child has to pass before it becomes the command, and gives it up when it
 * knows the child's group. So there is no command whose group it does not know. That takes {@code flock --no-fork}
 * (util-linux), {@code /proc}, and one directory of {@code TMPDIR}, {@code XDG_RUNTIME_DIR}, {@code /dev/shm}, {@code /tmp}
 * and {@code /var/tmp} in which a file can be made and locked; elsewhere the child is found by its environment, if it keeps
 * that.
 *
 * <p><b>Thread:</b> one. Never blocks for longer than a pipe write, but where it says so; when the helper is gone, messages go
 * nowhere.
 */
final class Watchdog {
    private static final int ACTED = 5;
    private static final long END_MILLIS = 2_000;
    private static final long READY_MILLIS = 10_000;

    private final Process process;
    private final OutputStream messages;
    /** No other child on this machine has it: no two processes have one id at one time. */
    private final String mark;
    /** What {@link #gate()} found; null before. */
    private @Nullable List<String> gate;

    private Watchdog(Process process) {
        this.process = process;
        this.messages = process.getOutputStream();
        this.mark = process.pid() + "-" + Long.toHexString(System.nanoTime());
    }

    /** Starts it; it does nothing until it is told a group. */
    static Watchdog start() throws IOException {
        if (!SessionLeader.isOnPath("bash")) {
            throw new IOException("bash is not on the PATH; it is needed to end the command when the lock is lost");
        }
        Process process = new ProcessBuilder(SessionLeader.command(
                        List.of("bash", "--noprofile", "--norc", "-c", script(), "holdfast-watchdog")))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new Watchdog(process);
    }

    private static String script() throws IOException {
        try (InputStream resource = Watchdog.class.getResourceAsStream("watchdog.bash")) {
            if (resource == null) {
                throw new IOException("watchdog.bash is missing in this build");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /**
     * What to put in front of a command so that it waits for the watchdog to know its group; nothing where that cannot be
     * had. Waits for the watchdog to be up, which it should be by now.
     *
     * @throws IOException if it is not
     */
    List<String> gate() throws IOException {
        List<String> known = gate;
        if (known == null) {
            known = awaitGate();
            gate = known;
        }
        return known;
    }

    private List<String> awaitGate() throws IOException {
        InputStream said = process.getInputStream();
        long startNanos = System.nanoTime();
        while (said.available() == 0) {
            if (!process.isAlive()) {
                throw new IOException("the watchdog ended with status " + process.exitValue());
            }
            if (System.nanoTime() - startNanos > TimeUnit.MILLISECONDS.toNanos(READY_MILLIS)) {
                throw new IOException("the watchdog does not start");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        boolean closed = said.read() == 'g';
        if (!closed) {
            return List.of();
        }
        // Nice to nobody, but it has the exit status of a shell if the command cannot be run; flock has another.
        return List.of("flock", "--no-fork", "/proc/" + process.pid() + "/fd/8", "nice", "-n", "0");
    }

    /** Whether {@link #gate()} found one. */
    boolean hasGate() {
        return gate != null && !gate.isEmpty();
    }

    /** What the child has as its {@link ChildGroup#MARK_VARIABLE}. */
    String mark() {
        return mark;
    }

    /** A child with this {@link #mark()} is about to start: it is to be found even if its group is never told. */
    void expect(@Nullable ChildLease lease) {
        send("expect " + mark + words(lease));
    }

    /** Opens the gate, unless the lease was over before. The child must lead its group by now. */
    void group(long pid, @Nullable ChildLease lease) {
        send("group " + pid + words(lease));
    }

    /** Unless told otherwise in time, it acts when this lease ends. */
    void lease(ChildLease lease) {
        send("lease" + words(lease));
    }

    private static String words(@Nullable ChildLease lease) {
        if (lease == null) {
            return "";
        }
        String term = " " + seconds(lease.termNanos());
        return lease.killAfterNanos() > 0 ? term + " " + seconds(lease.killAfterNanos()) : term;
    }

    void signal(String name) {
        send("signal " + name);
    }

    void term(long killAfterNanos) {
        send("term " + seconds(killAfterNanos));
    }

    void kill() {
        send("kill");
    }

    long pid() {
        return process.pid();
    }

    CompletableFuture<Process> onExit() {
        return process.onExit();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Tells it to end, and waits a moment for that. Returns whether it had to act because the lease ran out. */
    boolean finish() {
        return finish(END_MILLIS);
    }

    boolean finish(long millis) {
        send("done");
        closeMessages();
        if (awaitEnd(millis)) {
            return process.exitValue() == ACTED;
        }
        process.destroyForcibly();
        return false;
    }

    /** The end of its input: as when this process dies. */
    void closeMessages() {
        try {
            messages.close();
        } catch (IOException alreadyGone) {
            // It has ended.
        }
    }

    boolean awaitEnd(long millis) {
        try {
            return process.waitFor(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void send(String line) {
        write(line + "\n");
    }

    void write(String text) {
        try {
            messages.write(text.getBytes(StandardCharsets.UTF_8));
            messages.flush();
        } catch (IOException gone) {
            // ChildGroup has ways of its own to end the child.
        }
    }

    /** At least a millisecond: 0 would ask bash whether there is input. */
    private static String seconds(long nanos) {
        long millis = Math.max(nanos / 1_000_000L, 1);
        // Not String.format: it loads what it knows of locales, and there is a lock held meanwhile.
        String fraction = Long.toString(1_000 + millis % 1_000).substring(1);
        return millis / 1_000 + "." + fraction;
    }
}
