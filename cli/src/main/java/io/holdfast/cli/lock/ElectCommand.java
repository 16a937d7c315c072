package io.holdfast.cli.lock;

import io.holdfast.client.HoldfastClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast elect}. */
@Command(
        name = "elect",
        description = {
            "Campaign in an election, and run a command while leading; exit with the command's status.",
            "",
            "Others read --value with 'holdfast leader NAME'. The command finds HOLDFAST_LOCK (the election), HOLDFAST_TOKEN,"
                    + " HOLDFAST_SESSION and HOLDFAST_ENDPOINTS in its environment; everything that 'holdfast lock' says of"
                    + " signals, of what the command leaves behind, and of the end of the lease is true here too.",
            "",
            "The next candidate leads only after the command has ended, or after it was killed because the lease could not be"
                    + " renewed; then the exit status is 5.",
            "",
            "Without a command: print the token, lead until end of input or a signal, resign."
        },
        footer = {
            "%nExamples:",
            "  holdfast elect /services/indexer --value 10.0.0.7:9000 -- ./indexer --port 9000",
            "  holdfast elect /services/indexer --value $(hostname) --timeout 30s -- ./run-once.sh # exit 4 if another leads",
            "%nExit status: the command's own (126: it cannot be run, 127: not found); else 1 refused, 2 wrong usage,"
                    + " 3 cell unreachable, 4 not elected, 5 lost, 128+n ended by signal n."
        })
public final class ElectCommand extends HoldCommand {
    @Option(
            names = "--value",
            paramLabel = "ADDR",
            required = true,
            description = "What others read of the leader, for example its address; at most 65,536 bytes.")
    private String value;

    @Override
    String what(String path) {
        return "the lead of " + path;
    }

    @Override
    Taking taking(HoldfastClient client, String path, HoldOptions how) {
        return Taking.of(client.election(path).lockDelay(how.lockDelay()), value);
    }
}
