package io.holdfast.cli.lock;

import io.holdfast.cli.lock.LossPolicy.OnLost;
import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Durations;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockRecipe;
import io.holdfast.client.RefusedException;
import io.holdfast.model.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast lock}: checks the command line and hands over to {@link LockSession}. */
@Command(
        name = "lock",
        description = {
            "Take a lock, run a command under it, release it, and exit with the command's status.",
            "",
            "The command finds HOLDFAST_LOCK, HOLDFAST_TOKEN, HOLDFAST_SESSION and HOLDFAST_ENDPOINTS in its environment."
                    + " It runs in a session and process group of its own; HUP, INT, QUIT, TERM, USR1 and USR2 are passed on to"
                    + " that group. When the command ends, what it left in its group is ended too, and only then the lock is"
                    + " released; a daemon that shall live on needs a session of its own (setsid).",
            "",
            "If the lease cannot be renewed, the group gets TERM at the local lease end minus --kill-after, and KILL at the"
                    + " local lease end, before the cell could grant the lock to another; then the exit status is 5.",
            "",
            "Without a command: print the token, hold until end of input or a signal, release."
        },
        footer = {
            "%nExamples:",
            "  holdfast lock /jobs/reindex -- ./reindex.sh",
            "  holdfast lock /jobs/reindex --try -- ./reindex.sh         # exit 4 if it is held",
            "  holdfast lock /jobs/reindex --timeout 30s -- ./reindex.sh # exit 4 if it is held for 30 s",
            "  holdfast lock /data/archive --shared -- ./read-archive.sh",
            "  holdfast lock /t -- sh -c 'echo $HOLDFAST_TOKEN'",
            "%nExit status: the command's own (126: it cannot be run, 127: not found); else 1 refused, 2 wrong usage,"
                    + " 3 cell unreachable, 4 not acquired, 5 lost, 128+n ended by signal n."
        })
public final class LockCommand extends CellCommand {
    private static final Duration DEFAULT_KILL_AFTER = Duration.ofSeconds(2);
    /** {@code --kill-after} may take at most this part of the lease. */
    private static final int LEAST_PART = 4;

    @Parameters(index = "0", paramLabel = "NAME", description = "Path of the lock.")
    private String name;

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "CMD", description = "Command to run, after --.")
    private List<String> command = new ArrayList<>();

    @Option(names = "--shared", description = "Hold beside other shared holders.")
    private boolean shared;

    @ArgGroup
    private Waiting waiting = new Waiting();

    /** How long to wait; one of them. */
    static final class Waiting {
        @Option(names = "--try", description = "Do not wait: exit 4 if the lock is held.")
        private boolean once;

        @Option(
                names = "--timeout",
                paramLabel = "DURATION",
                converter = Durations.class,
                description = "Wait in the queue for so long at most, then exit 4. Without it waiting is unbounded.")
        private @Nullable Duration timeout;
    }

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "12s",
            description = "Lease of the session, 4s to 60s (default 12s): how long a lock outlives a dead holder.")
    private Duration lease = Duration.ofMillis(Limits.DEFAULT_SESSION_LEASE_MILLIS);

    @Option(
            names = "--lock-delay",
            paramLabel = "DURATION",
            converter = Durations.class,
            description =
                    "If this hold ends because its session died, others wait so much longer (0 to 60s, default 0).")
    private Duration lockDelay = Duration.ZERO;

    @Option(
            names = "--kill-after",
            paramLabel = "DURATION",
            converter = Durations.class,
            description = "Time from TERM to KILL; at most a quarter of the lease (default 2s, or that quarter).")
    private @Nullable Duration killAfter;

    @Option(
            names = "--on-lost",
            paramLabel = "term|kill|ignore",
            defaultValue = "term",
            description = {
                "What to do to the command when the lock is being lost: term (TERM, then KILL), kill (KILL at once), or",
                "ignore (leave it alone, exit 5 at its end: unsafe unless every resource checks the token)."
            })
    private OnLost onLost = OnLost.term;

    @Override
    protected void check() {
        requireRange("--lease", lease, Limits.MIN_SESSION_LEASE_MILLIS, Limits.MAX_SESSION_LEASE_MILLIS);
        requireRange("--lock-delay", lockDelay, 0, Limits.MAX_LOCK_DELAY_MILLIS);
        Duration most = lease.dividedBy(LEAST_PART);
        if (killAfter != null && killAfter.compareTo(most) > 0) {
            throw CliException.usage("--kill-after " + Durations.format(killAfter)
                    + ": at most a quarter of the lease is allowed, " + Durations.format(most));
        }
    }

    private static void requireRange(String option, Duration given, long minMillis, long maxMillis) {
        if (given.toMillis() < minMillis || given.toMillis() > maxMillis) {
            throw CliException.usage(option + " " + Durations.format(given) + " is out of range: "
                    + Durations.format(Duration.ofMillis(minMillis)) + " to "
                    + Durations.format(Duration.ofMillis(maxMillis)) + " are allowed");
        }
    }

    @Override
    public Integer call() {
        check();
        HoldfastClient client = client();
        LockSession session = new LockSession(client, settings(), console(), options());
        return session.run(recipe(client), limit());
    }

    private HoldfastClient client() {
        try {
            return clientBuilder(options())
                    .sessionLease(lease)
                    .closeTimeout(LockSession.CLOSE_TIMEOUT)
                    .build();
        } catch (RefusedException wrong) {
            throw CliException.usage(String.valueOf(wrong.getMessage()));
        }
    }

    private LockRecipe recipe(HoldfastClient client) {
        LockRecipe recipe = client.lock(name).lockDelay(lockDelay);
        return shared ? recipe.shared() : recipe;
    }

    private LockSession.Settings settings() {
        Duration quarter = lease.dividedBy(LEAST_PART);
        Duration after = killAfter != null ? killAfter : quarter;
        if (killAfter == null && quarter.compareTo(DEFAULT_KILL_AFTER) > 0) {
            after = DEFAULT_KILL_AFTER;
        }
        return new LockSession.Settings(name, command, after, onLost);
    }

    /** How long to wait in the queue; null without bound. */
    private @Nullable Duration limit() {
        return waiting.once ? Duration.ZERO : waiting.timeout;
    }

    @Override
    protected void run(HoldfastClient client, io.holdfast.cli.support.Console console) {
        throw new IllegalStateException("call() does all");
    }
}
