package io.holdfast.cli.lease;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.Durations;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LeaseAnswer;
import io.holdfast.model.Limits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast acquire}. */
@Command(
        name = "acquire",
        description = {
            "Take a leased lock if nobody holds it, and print its token. Nothing renews it: call renew every 3/10 of",
            "the lease, and count the lease from when the command was started, not from its answer."
        },
        footer = {
            "%nExamples:",
            "  token=$(holdfast acquire account/42 --owner worker-7) && echo \"token $token\"",
            "  holdfast acquire account/42 --owner worker-7 --request-id $(uuidgen)   # may be repeated: the same grant",
            "%nExit status: 0 held, 1 a bad name or owner, 2 wrong usage, 3 cell unreachable, 4 held by another."
        })
public final class AcquireCommand extends CellCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the lock; it does not start with '/'.")
    private String name;

    @Option(names = "--owner", paramLabel = "ID", required = true, description = "Who asks.")
    private String owner;

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "10s",
            description = "How long the hold lasts unless it is renewed, 1s to 60s (default 10s).")
    private Duration lease = Duration.ofMillis(Limits.DEFAULT_LEASE_MILLIS);

    @Option(
            names = "--request-id",
            paramLabel = "R",
            description = "Names this attempt: repeated with the same one, the same grant is returned.")
    private @Nullable String requestId;

    @Override
    protected void check() {
        if (lease.toMillis() < Limits.MIN_LEASE_MILLIS || lease.toMillis() > Limits.MAX_LEASE_MILLIS) {
            throw CliException.usage("--lease " + Durations.format(lease) + " is out of range: "
                    + Durations.format(Duration.ofMillis(Limits.MIN_LEASE_MILLIS)) + " to "
                    + Durations.format(Duration.ofMillis(Limits.MAX_LEASE_MILLIS)) + " are allowed");
        }
    }

    @Override
    protected void run(HoldfastClient client, Console console) {
        LeaseAnswer answer = client.leases().raw().acquire(name, owner, lease, requestId);
        if (answer instanceof LeaseAnswer.Held held) {
            throw CliException.of(
                    ExitStatus.NOT_ACQUIRED,
                    "HELD",
                    "lease " + name + " is held by " + held.owner() + "; retry after "
                            + held.retryAfter().toMillis() + "ms");
        }
        LeaseAnswer.Granted granted = (LeaseAnswer.Granted) answer;
        if (options().isJson()) {
            console.result(Json.write(Json.object(
                    "name",
                    name,
                    "owner",
                    owner,
                    "token",
                    granted.token().value(),
                    "leaseMillis",
                    granted.lease().toMillis())));
        } else {
            console.result(Long.toString(granted.token().value()));
        }
    }
}
