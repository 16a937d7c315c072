package io.holdfast.cli.lease;

import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import java.time.Duration;
import picocli.CommandLine.Command;

/** {@code holdfast renew}. */
@Command(
        name = "renew",
        description = "Give a hold of a leased lock its full lease again, counted from when the command was started.",
        footer = {
            "%nExamples:",
            "  while holdfast renew account/42 --owner worker-7 --token $token; do sleep 3; done",
            "%nExit status: 0 renewed, 1 a bad name or owner, 2 wrong usage, 3 cell unreachable, 5 lost."
        })
public final class RenewCommand extends HoldCommand {
    @Override
    protected void run(HoldfastClient client, Console console) {
        Duration lease = client.leases().raw().renew(name(), owner(), token()).orElseThrow(this::lost);
        if (options().isJson()) {
            console.result(Json.write(Json.object(
                    "name", name(),
                    "owner", owner(),
                    "token", token().value(),
                    "leaseMillis", lease.toMillis())));
        }
    }
}
