package io.holdfast.cli.lease;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LeaseInfo;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code holdfast inspect}. */
@Command(
        name = "inspect",
        description = "Show who holds a leased lock, with which token, and how much of the lease is left.",
        footer = {
            "%nExamples:",
            "  holdfast inspect account/42",
            "  holdfast inspect account/42 --output json",
            "%nExit status: 0 printed, 1 nobody holds it or a bad name, 2 wrong usage, 3 cell unreachable."
        })
public final class InspectCommand extends CellCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the lock.")
    private String name;

    @Override
    protected void run(HoldfastClient client, Console console) {
        LeaseInfo info = client.leases()
                .raw()
                .inspect(name)
                .orElseThrow(() -> CliException.of(ExitStatus.REFUSED, "NOT_FOUND", "nobody holds lease " + name));
        Map<String, @Nullable Object> document = Json.object(
                "name", info.name(),
                "owner", info.owner(),
                "token", info.token().value(),
                "leaseMillis", info.lease().toMillis(),
                "remainingMillis", info.remaining().toMillis());
        if (options().isJson()) {
            console.result(Json.write(document));
        } else {
            document.forEach((field, value) -> console.result(field + ": " + value));
        }
    }
}
