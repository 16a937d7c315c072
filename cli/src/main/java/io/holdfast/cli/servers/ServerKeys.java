package io.holdfast.cli.servers;

import io.holdfast.server.config.ConfigKey;
import java.util.EnumMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The keys of a server's configuration as options of its command. */
public final class ServerKeys {
    private ServerKeys() {}

    /** Gives a command that starts a server an option for each key of its configuration; does nothing to others. */
    public static void addTo(CommandLine command) {
        Object made = command.getCommandSpec().userObject();
        if (made instanceof ReplicaCommand) {
            add(command, ConfigKey.Server.REPLICA);
        } else if (made instanceof ProxyCommand) {
            add(command, ConfigKey.Server.PROXY);
        }
    }

    private static void add(CommandLine command, ConfigKey.Server server) {
        for (ConfigKey key : ConfigKey.of(server)) {
            command.getCommandSpec()
                    .addOption(OptionSpec.builder(key.flag())
                            .paramLabel("VALUE")
                            .type(String.class)
                            .description(key.description() + " (env " + key.environmentName() + ").")
                            .build());
        }
    }

    /** What was given on the command line. */
    static Map<ConfigKey, String> given(CommandSpec spec, ConfigKey.Server server) {
        Map<ConfigKey, String> flags = new EnumMap<>(ConfigKey.class);
        for (ConfigKey key : ConfigKey.of(server)) {
            String value = spec.commandLine().getParseResult().matchedOptionValue(key.flag(), null);
            if (value != null) {
                flags.put(key, value);
            }
        }
        return flags;
    }
}
