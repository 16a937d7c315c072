package io.holdfast.cli;

import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.GlobalOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The root: what there is, and the options that all commands share. */
@Command(
        name = "holdfast",
        description = "A distributed lock service: locks with fencing tokens, and small configuration values.",
        footer = {
            "%nExamples:",
            "  holdfast dev                                   # a cell on this machine",
            "  holdfast lock /jobs/reindex -- ./reindex.sh    # run a command under a lock",
            "  holdfast locks                                 # who holds, who waits",
            "%nExit status: 0 done, 1 refused or not found, 2 wrong usage, 3 cell unreachable, 4 not acquired, 5 lost,"
                    + " 128+n ended by signal n; `lock` passes its command's on."
        })
final class HoldfastCommand implements GlobalOptions.Holder {
    @Mixin
    private GlobalOptions options;

    private final Console console;

    HoldfastCommand(Console console) {
        this.console = console;
    }

    @Override
    public GlobalOptions globalOptions() {
        return options;
    }

    @Override
    public Console console() {
        return console;
    }
}
