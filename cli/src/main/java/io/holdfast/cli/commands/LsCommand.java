package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code holdfast ls}. */
@Command(
        name = "ls",
        description = "List the names of all children of a node, one on a line, in order.",
        footer = {
            "%nExamples:",
            "  holdfast ls /",
            "  holdfast ls /config --output json",
            "%nExit status: 0 printed, 1 no such node or a bad path, 2 wrong usage, 3 cell unreachable."
        })
public final class LsCommand extends CellCommand {
    @Parameters(index = "0", paramLabel = "PATH", description = "Path of the node; / is the root.")
    private String path;

    @Override
    protected void run(HoldfastClient client, Console console) {
        List<String> names = client.values().list(path);
        if (options().isJson()) {
            console.result(Json.write(Json.object("path", path, "children", names)));
        } else if (!names.isEmpty()) {
            console.result(String.join("\n", names));
        }
    }
}
