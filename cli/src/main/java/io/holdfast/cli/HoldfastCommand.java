package io.holdfast.cli;

import io.holdfast.cli.commands.CheckTokenCommand;
import io.holdfast.cli.commands.GetCommand;
import io.holdfast.cli.commands.LocksCommand;
import io.holdfast.cli.commands.LsCommand;
import io.holdfast.cli.commands.PutCommand;
import io.holdfast.cli.commands.RmCommand;
import io.holdfast.cli.commands.SessionsCommand;
import io.holdfast.cli.commands.StatCommand;
import io.holdfast.cli.commands.StatusCommand;
import io.holdfast.cli.commands.VersionCommand;
import io.holdfast.cli.lock.LockCommand;
import io.holdfast.cli.servers.DevCommand;
import io.holdfast.cli.servers.ReplicaCommand;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.GlobalOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The root: what there is, and the options that all commands share. */
@Command(
        name = "holdfast",
        description = "A distributed lock service: locks with fencing tokens, and small configuration values.",
        subcommands = {
            DevCommand.class,
            ReplicaCommand.class,
            LockCommand.class,
            GetCommand.class,
            PutCommand.class,
            RmCommand.class,
            LsCommand.class,
            StatCommand.class,
            LocksCommand.class,
            SessionsCommand.class,
            CheckTokenCommand.class,
            StatusCommand.class,
            VersionCommand.class
        },
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
