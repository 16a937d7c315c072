package io.holdfast.cli.lease;

import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import picocli.CommandLine.Command;

/** {@code holdfast release}. */
@Command(
        name = "release",
        description = "Give a leased lock back. Repeating it is harmless: it never frees a later hold.",
        footer = {
            "%nExamples:",
            "  holdfast release account/42 --owner worker-7 --token $token",
            "%nExit status: 0 given back, now or before, 1 a bad name or owner, 2 wrong usage, 3 cell unreachable, 5 lost."
        })
public final class ReleaseCommand extends HoldCommand {
    @Override
    protected void run(HoldfastClient client, Console console) {
        if (!client.leases().raw().release(name(), owner(), token())) {
            throw lost();
        }
        if (options().isJson()) {
            console.result(Json.write(
                    Json.object("name", name(), "owner", owner(), "token", token().value(), "released", true)));
        }
    }
}
