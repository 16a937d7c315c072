package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.CliException.Fate;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.PutResult;
import io.holdfast.client.Values;
import io.holdfast.model.Limits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast put}. */
@Command(
        name = "put",
        description = {
            "Write a configuration value; missing parents are created.",
            "Prints the value's new version, which starts at 0 and rises with every write."
        },
        footer = {
            "%nExamples:",
            "  holdfast put /config/flag on",
            "  holdfast put /config/logo.png - < logo.png   # from standard input, any bytes",
            "  holdfast put /config/flag off --version 3     # only if the version is 3 (compare-and-set)",
            "  holdfast put /config/flag on --version -1     # only if there is none",
            "  holdfast put /config/offset -- -5             # a value that begins with a dash",
            "%nExit status: 0 written, 1 another version, refused, 2 wrong usage, 3 cell unreachable."
        })
public final class PutCommand extends CellCommand {
    @Parameters(index = "0", paramLabel = "PATH", description = "Path of the value.")
    private String path;

    @Parameters(
            index = "1",
            paramLabel = "VALUE|-",
            description = "The value as text, or - to read it from standard input; at most 65,536 bytes.")
    private String value;

    @Option(
            names = "--version",
            paramLabel = "N",
            description = "Only if the present version is N; -1: only if there is no value.")
    private @Nullable Long version;

    private byte[] bytes = new byte[0];

    @Override
    protected void check() {
        if (version != null && version < -1) {
            throw CliException.usage("--version " + version + ": write a version (0 or more), or -1 for none");
        }
        bytes = value.equals("-") ? readInput() : value.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > Limits.MAX_VALUE_BYTES) {
            throw tooLarge();
        }
    }

    private byte[] readInput() {
        try {
            return System.in.readNBytes(Limits.MAX_VALUE_BYTES + 1);
        } catch (IOException unreadable) {
            throw CliException.of(
                    ExitStatus.REFUSED,
                    "INVALID",
                    Fate.NOT_DONE,
                    "standard input cannot be read: " + unreadable.getMessage(),
                    unreadable);
        }
    }

    private CliException tooLarge() {
        String size = value.equals("-") ? "more than " + Limits.MAX_VALUE_BYTES : Integer.toString(bytes.length);
        return CliException.refused(
                "TOO_LARGE",
                "put " + path + ": the value has " + size + " bytes; at most " + Limits.MAX_VALUE_BYTES
                        + " are allowed");
    }

    @Override
    protected void run(HoldfastClient client, Console console) {
        Values values = client.values().withoutSession();
        PutResult result = version == null ? values.put(path, bytes) : values.put(path, bytes, version);
        if (options().isJson()) {
            console.result(Json.write(Json.object(
                    "path", result.path(),
                    "version", result.version(),
                    "revision", result.revision(),
                    "created", result.created())));
        } else {
            console.result(Long.toString(result.version()));
        }
    }
}
