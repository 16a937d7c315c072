package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Values;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast rm}. */
@Command(
        name = "rm",
        description = "Delete a configuration value. Exit 1 if there is none, or its version is another one.",
        footer = {
            "%nExamples:",
            "  holdfast rm /config/flag",
            "  holdfast rm /config/flag --version 4   # only if the version is 4",
            "%nExit status: 0 removed, 1 no such value, another version, refused, 2 wrong usage, 3 cell unreachable."
        })
public final class RmCommand extends CellCommand {
    @Parameters(index = "0", paramLabel = "PATH", description = "Path of the value.")
    private String path;

    @Option(names = "--version", paramLabel = "N", description = "Only if the present version is N.")
    private @Nullable Long version;

    @Override
    protected void check() {
        if (version != null && version < 0) {
            throw CliException.usage("--version " + version + ": write a version, 0 or more");
        }
    }

    @Override
    protected void run(HoldfastClient client, Console console) {
        Values values = client.values().withoutSession();
        if (version == null) {
            values.delete(path);
        } else {
            values.delete(path, version);
        }
        if (options().isJson()) {
            console.result(Json.write(Json.object("path", path, "deleted", true)));
        }
    }
}
