package io.holdfast.cli;

import io.holdfast.cli.commands.BreakCommand;
import io.holdfast.cli.commands.CheckTokenCommand;
import io.holdfast.cli.commands.ExpireCommand;
import io.holdfast.cli.commands.GetCommand;
import io.holdfast.cli.commands.LeaderCommand;
import io.holdfast.cli.commands.LocksCommand;
import io.holdfast.cli.commands.LsCommand;
import io.holdfast.cli.commands.PutCommand;
import io.holdfast.cli.commands.RmCommand;
import io.holdfast.cli.commands.SessionsCommand;
import io.holdfast.cli.commands.StatCommand;
import io.holdfast.cli.commands.StatusCommand;
import io.holdfast.cli.commands.VersionCommand;
import io.holdfast.cli.commands.WatchCommand;
import io.holdfast.cli.lease.AcquireCommand;
import io.holdfast.cli.lease.InspectCommand;
import io.holdfast.cli.lease.ReleaseCommand;
import io.holdfast.cli.lease.RenewCommand;
import io.holdfast.cli.lock.ElectCommand;
import io.holdfast.cli.lock.LockCommand;
import io.holdfast.cli.servers.DevCommand;
import io.holdfast.cli.servers.ProxyCommand;
import io.holdfast.cli.servers.ReplicaCommand;
import io.holdfast.cli.servers.ServerKeys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * All commands by name. Only the one asked for is made: describing every command to the parser would take longer than most
 * of them run.
 */
final class Commands {
    /** Options of the root that are followed by a value; what comes after them is no command. */
    private static final List<String> WITH_VALUE =
            List.of("--endpoints", "--output", "--call-timeout", "--tls-ca", "--tls-cert", "--tls-key", "--auth-token");

    private static final Map<String, Supplier<Object>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("dev", DevCommand::new);
        ALL.put("replica", ReplicaCommand::new);
        ALL.put("proxy", ProxyCommand::new);
        ALL.put("lock", LockCommand::new);
        ALL.put("elect", ElectCommand::new);
        ALL.put("leader", LeaderCommand::new);
        ALL.put("get", GetCommand::new);
        ALL.put("put", PutCommand::new);
        ALL.put("rm", RmCommand::new);
        ALL.put("ls", LsCommand::new);
        ALL.put("stat", StatCommand::new);
        ALL.put("watch", WatchCommand::new);
        ALL.put("acquire", AcquireCommand::new);
        ALL.put("renew", RenewCommand::new);
        ALL.put("release", ReleaseCommand::new);
        ALL.put("inspect", InspectCommand::new);
        ALL.put("locks", LocksCommand::new);
        ALL.put("sessions", SessionsCommand::new);
        ALL.put("break", BreakCommand::new);
        ALL.put("expire", ExpireCommand::new);
        ALL.put("check-token", CheckTokenCommand::new);
        ALL.put("status", StatusCommand::new);
        ALL.put("completion", CompletionCommand::new);
        ALL.put("version", VersionCommand::new);
    }

    private Commands() {}

    /** Adds the command that the arguments name; all of them if they name none. */
    static void addTo(CommandLine root, String[] arguments) {
        String asked = asked(arguments).orElse("");
        if (ALL.containsKey(asked)) {
            add(root, asked);
        } else {
            ALL.keySet().forEach(name -> add(root, name));
        }
    }

    private static void add(CommandLine root, String name) {
        Supplier<Object> maker = ALL.get(name);
        if (maker != null) {
            CommandLine command = new CommandLine(maker.get());
            ServerKeys.addTo(command);
            root.addSubcommand(name, command);
        }
    }

    /** The first argument that is neither an option nor the value of one. */
    static Optional<String> asked(String... arguments) {
        boolean isValue = false;
        for (String argument : arguments) {
            if (!isValue && !argument.startsWith("-")) {
                return Optional.of(argument);
            }
            isValue = !isValue && WITH_VALUE.contains(argument);
        }
        return Optional.empty();
    }
}
