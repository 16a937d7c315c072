package io.holdfast.cli.lease;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.model.FencingToken;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command about one hold of a leased lock, named by all three: name, owner and token. */
abstract class HoldCommand extends CellCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the lock.")
    private String name;

    @Option(names = "--owner", paramLabel = "ID", required = true, description = "Who holds it.")
    private String owner;

    @Option(names = "--token", paramLabel = "T", required = true, description = "The token that acquire printed.")
    private long token;

    String name() {
        return name;
    }

    String owner() {
        return owner;
    }

    FencingToken token() {
        return new FencingToken(token);
    }

    CliException lost() {
        return CliException.of(
                ExitStatus.LOST,
                "LOST",
                "lease " + name + " is not held by " + owner + " with token " + token
                        + ": it was lost, or never was; stop the protected work and acquire again");
    }
}
