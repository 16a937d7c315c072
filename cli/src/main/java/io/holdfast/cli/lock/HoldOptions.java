package io.holdfast.cli.lock;

import io.holdfast.cli.lock.LossPolicy.OnLost;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Durations;
import io.holdfast.model.Limits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options of commands that hold something while another command runs: {@code lock} and {@code elect}. */
final class HoldOptions {
    private static final Duration DEFAULT_KILL_AFTER = Duration.ofSeconds(2);
    /** {@code --kill-after} may take at most this part of the lease. */
    private static final int LEAST_PART = 4;

    @ArgGroup
    private Waiting waiting = new Waiting();

    /** How long to wait; one of them. */
    static final class Waiting {
        @Option(names = "--try", description = "Do not wait: exit 4 if another holds it.")
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
            description = "Lease of the session, 4s to 60s (default 12s): how long a hold outlives a dead holder.")
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
                "What to do to the command when the hold is being lost: term (TERM, then KILL), kill (KILL at once), or",
                "ignore (leave it alone, exit 5 at its end: unsafe unless every resource checks the token)."
            })
    private OnLost onLost = OnLost.term;

    /** Looks at them before a connection is made. */
    void check() {
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

    Duration lease() {
        return lease;
    }

    Duration lockDelay() {
        return lockDelay;
    }

    OnLost onLost() {
        return onLost;
    }

    /** Time between TERM and KILL. */
    Duration killAfter() {
        if (killAfter != null) {
            return killAfter;
        }
        Duration quarter = lease.dividedBy(LEAST_PART);
        return quarter.compareTo(DEFAULT_KILL_AFTER) > 0 ? DEFAULT_KILL_AFTER : quarter;
    }

    /** How long to wait in the queue; null without bound. */
    @Nullable
    Duration limit() {
        return waiting.once ? Duration.ZERO : waiting.timeout;
    }
}
