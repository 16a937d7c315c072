package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.model.FencingToken;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code holdfast check-token}. */
@Command(
        name = "check-token",
        description = {
            "Check whether a token is the one of a present hold: exit 0 if it is, 1 if not.",
            "A resource that keeps the highest token it has seen needs no such question; this is for people and scripts."
        },
        footer = {
            "%nExamples:",
            "  holdfast check-token /jobs/reindex 4711 && echo still ours",
            "  holdfast check-token account/42 4711          # a leased lock: its name does not start with '/'",
            "%nExit status: 0 it is, 1 it is not or a bad name, 2 wrong usage, 3 cell unreachable."
        })
public final class CheckTokenCommand extends CellCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Path of the lock, or name of a leased lock.")
    private String name;

    @Parameters(index = "1", paramLabel = "TOKEN", description = "The token to check.")
    private long token;

    @Override
    protected void run(HoldfastClient client, Console console) {
        boolean current =
                name.startsWith("/") ? client.admin().checkToken(name, new FencingToken(token)) : isLeaseToken(client);
        if (options().isJson()) {
            console.result(Json.write(Json.object("name", name, "token", token, "current", current)));
        }
        if (!current) {
            throw CliException.of(
                    ExitStatus.REFUSED, "NOT_CURRENT", "token " + token + " is no present hold's of " + name);
        }
        if (!options().isJson()) {
            console.result("current");
        }
    }

    /** A name without a slash at its beginning is a leased lock's. */
    private boolean isLeaseToken(HoldfastClient client) {
        return client.leases()
                .raw()
                .inspect(name)
                .map(info -> info.token().value() == token)
                .orElse(false);
    }
}
