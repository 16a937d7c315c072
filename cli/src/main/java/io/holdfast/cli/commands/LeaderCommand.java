package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Leader;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code holdfast leader}. */
@Command(
        name = "leader",
        description = {
            "Print what the leader of an election campaigned with; exit 1 if nobody leads.",
            "Brief times without a leader are normal, between two leads."
        },
        footer = {
            "%nExamples:",
            "  holdfast leader /services/indexer",
            "  curl http://$(holdfast leader /services/indexer)/status",
            "  holdfast leader /services/indexer --output json    # with its token"
        })
public final class LeaderCommand extends CellCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Path of the election.")
    private String name;

    @Override
    protected void run(HoldfastClient client, Console console) {
        Optional<Leader> leader = client.election(name).leader();
        if (options().isJson()) {
            console.result(Json.write(
                    leader.map(LeaderCommand::document).orElseGet(() -> Json.object("election", name, "leader", null))));
        }
        if (leader.isEmpty()) {
            throw CliException.of(ExitStatus.REFUSED, "NO_LEADER", "nobody leads " + name);
        }
        if (!options().isJson()) {
            console.result(leader.get().value());
        }
    }

    private static Map<String, @Nullable Object> document(Leader leader) {
        return Json.object(
                "election", leader.election(),
                "leader", leader.value(),
                "token", leader.token().value(),
                "place", leader.place(),
                "client", leader.clientName());
    }
}
