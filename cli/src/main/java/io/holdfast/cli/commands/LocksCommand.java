package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.model.Answer;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code holdfast locks}. */
@Command(
        name = "locks",
        description = {
            "Show who holds and who waits: tokens, sessions, since when.",
            "What is 'delayed' nobody holds: its holder's session died, and its lock-delay keeps others out.",
            "What is 'ending' is being broken by an operator, or its session is being expired.",
            "Ages come from the wall clock of the replica that led at the time and are for display only."
        },
        footer = {
            "%nExamples:",
            "  holdfast locks",
            "  holdfast locks /jobs --output json",
            "%nExit status: 0 printed, also if there is none, 1 a bad path, 2 wrong usage, 3 cell unreachable."
        })
public final class LocksCommand extends CellCommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PREFIX",
            defaultValue = "/",
            description = "Only locks at and below this path.")
    private String prefix;

    @Override
    protected void run(HoldfastClient client, Console console) {
        List<Answer.PlaceInfo> places = client.admin().locks(prefix);
        if (options().isJson()) {
            console.result(Json.write(Json.object("locks", Places.byLock(places))));
        } else {
            console.table(Places.rows(places));
        }
    }
}
