package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Value;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code holdfast get}. */
@Command(
        name = "get",
        description = {
            "Print a configuration value.",
            "The bytes are printed as they are; a newline is added only if standard output is a terminal."
        },
        footer = {
            "%nExamples:",
            "  holdfast get /config/flag",
            "  holdfast get /config/logo.png > logo.png",
            "  holdfast get /config/flag --output json    # with its version",
            "%nExit status: 0 printed, 1 no such value or a bad path, 2 wrong usage, 3 cell unreachable."
        })
public final class GetCommand extends CellCommand {
    @Parameters(index = "0", paramLabel = "PATH", description = "Path of the value.")
    private String path;

    @Override
    protected void run(HoldfastClient client, Console console) {
        Value value = client.values()
                .get(path)
                .orElseThrow(() -> CliException.of(ExitStatus.REFUSED, "NOT_FOUND", "there is no value at " + path));
        if (options().isJson()) {
            Map<String, @Nullable Object> document = Json.object("path", value.path());
            ValueText.put(value.bytes(), document);
            document.put("version", value.version());
            document.put("createRevision", value.createRevision());
            document.put("modifyRevision", value.modifyRevision());
            console.result(Json.write(document));
            return;
        }
        console.result(value.bytes());
        if (Console.isTerminal()) {
            console.result("");
        }
    }
}
