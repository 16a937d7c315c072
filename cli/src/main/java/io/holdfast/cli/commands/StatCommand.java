package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.model.Answer;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code holdfast stat}. */
@Command(
        name = "stat",
        description = "Show what a node is: its kind, versions, number of children and owner.",
        footer = {
            "%nExamples:",
            "  holdfast stat /config/flag",
            "  holdfast stat /jobs/reindex --output json",
            "%nExit status: 0 printed, 1 no such node or a bad path, 2 wrong usage, 3 cell unreachable."
        })
public final class StatCommand extends CellCommand {
    @Parameters(index = "0", paramLabel = "PATH", description = "Path of the node.")
    private String path;

    @Override
    protected void run(HoldfastClient client, Console console) {
        Answer.NodeStat stat = client.admin().stat(path);
        Map<String, @Nullable Object> document = Json.object(
                "path", stat.path().value(),
                "kind", stat.kind().name().toLowerCase(Locale.ROOT),
                "version", stat.version(),
                "createRevision", stat.createRevision(),
                "modifyRevision", stat.modifyRevision(),
                "childrenRevision", stat.childrenRevision(),
                "children", stat.children(),
                "valueBytes", stat.valueBytes(),
                "session", stat.session() == null ? null : stat.session().value());
        if (options().isJson()) {
            console.result(Json.write(document));
        } else {
            document.forEach((name, value) -> console.result(name + ": " + (value == null ? "-" : value)));
        }
    }
}
