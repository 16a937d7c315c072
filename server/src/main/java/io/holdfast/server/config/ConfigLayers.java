package io.holdfast.server.config;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * File, environment and flags laid over each other, and the checks that all servers have in common.
 *
 * <p>Every failure is a {@link ConfigException} of one line that names the file (or variable, or flag) and the key.
 */
final class ConfigLayers {
    /** Environment variables that begin so can only be meant for a server; a mistyped one is refused. */
    private static final List<String> SECTION_VARIABLES =
            List.of("HOLDFAST_RAFT_", "HOLDFAST_LISTEN_", "HOLDFAST_SESSION_");

    final ConfigValues values = new ConfigValues();
    private final String source;
    private final boolean insecure;

    private ConfigLayers(String source, boolean insecure) {
        this.source = source;
        this.insecure = insecure;
    }

    /**
     * Reads all of them.
     *
     * @param file the YAML file, or null for none
     * @param environment all variables of the process; those of keys that only other servers have do not count
     * @param flags values given on the command line, by key
     * @param insecure whether other addresses than loopback may be bound without TLS
     */
    static ConfigLayers read(
            ConfigKey.Server server,
            @Nullable Path file,
            Map<String, String> environment,
            Map<ConfigKey, String> flags,
            boolean insecure) {
        ConfigLayers layers = new ConfigLayers(file == null ? "configuration" : file.toString(), insecure);
        if (file != null) {
            ConfigFile.read(file, layers.values, server);
        }
        layers.readEnvironment(environment, ConfigKey.of(server));
        flags.forEach((key, text) -> layers.values.setText(key, text, key.flag()));
        return layers;
    }

    private void readEnvironment(Map<String, String> environment, Set<ConfigKey> keys) {
        List<String> known = Arrays.stream(ConfigKey.values())
                .map(ConfigKey::environmentName)
                .toList();
        for (String name : new TreeMap<>(environment).keySet()) {
            if (SECTION_VARIABLES.stream().anyMatch(name::startsWith) && !known.contains(name)) {
                String suggestion = NearestName.to(name, known)
                        .map(nearest -> "; did you mean '" + nearest + "'?")
                        .orElse("");
                throw ConfigException.of("environment", name, "unknown key" + suggestion);
            }
        }
        for (ConfigKey key : keys) {
            String text = environment.get(key.environmentName());
            if (text != null) {
                values.setText(key, text, key.environmentName());
            }
        }
    }

    /** An address to bind. */
    HostPort bind(ConfigKey key, int defaultPort) {
        HostPort address = values.address(key).orElse(new HostPort("127.0.0.1", defaultPort));
        if (!address.isLoopback() && !insecure) {
            throw wrong(
                    key,
                    address + " can be reached from other machines, and TLS is not set up: bind a loopback address,"
                            + " or give --insecure if the network is trusted");
        }
        return address;
    }

    void requireDifferent(ConfigKey key, HostPort address, ConfigKey otherKey, HostPort other) {
        if (address.port() != 0 && address.equals(other)) {
            throw wrong(key, address + " is also " + otherKey.key());
        }
    }

    long integer(ConfigKey key, long otherwise, long min, long max) {
        long value = values.integer(key).orElse(otherwise);
        if (value < min || value > max) {
            throw wrong(key, value + " is outside " + min + " to " + max);
        }
        return value;
    }

    ConfigException wrong(ConfigKey key, String problem) {
        return ConfigException.of(values.origin(key, source), key.key(), problem);
    }

    ConfigException missing(ConfigKey key) {
        return ConfigException.of(
                source,
                key.key(),
                "is missing; set it in the file, as " + key.environmentName() + " or as " + key.flag());
    }
}
