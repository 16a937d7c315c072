package io.holdfast.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Lays file, environment and flags of a proxy over each other ({@link ConfigLayers}) and checks the result.
 *
 * <p>Every failure is a {@link ConfigException} of one line that names the file (or variable, or flag) and the key.
 */
public final class ProxyConfigLoader {
    private ProxyConfigLoader() {}

    /**
     * Loads a configuration.
     *
     * @param file the YAML file, or null for none
     * @param environment all variables of the process
     * @param flags values given on the command line, by key
     * @param insecure whether other addresses than loopback may be bound without TLS
     */
    public static ProxyConfig load(
            @Nullable Path file, Map<String, String> environment, Map<ConfigKey, String> flags, boolean insecure) {
        ConfigLayers layers = ConfigLayers.read(ConfigKey.Server.PROXY, file, environment, flags, insecure);
        HostPort client = layers.bind(ConfigKey.LISTEN_CLIENT, ReplicaConfig.DEFAULT_CLIENT_PORT);
        HostPort http = layers.bind(ConfigKey.LISTEN_HTTP, ReplicaConfig.DEFAULT_HTTP_PORT);
        layers.requireDifferent(ConfigKey.LISTEN_HTTP, http, ConfigKey.LISTEN_CLIENT, client);
        List<HostPort> upstream =
                layers.values.addresses(ConfigKey.UPSTREAM).orElseThrow(() -> layers.missing(ConfigKey.UPSTREAM));
        check(layers, upstream, client);
        return new ProxyConfig(client, http, upstream);
    }

    private static void check(ConfigLayers layers, List<HostPort> upstream, HostPort client) {
        if (upstream.isEmpty() || upstream.size() > ProxyConfig.MAX_UPSTREAMS) {
            throw layers.wrong(
                    ConfigKey.UPSTREAM,
                    "must name 1 to " + ProxyConfig.MAX_UPSTREAMS + " replicas, but names " + upstream.size());
        }
        TreeSet<String> seen = new TreeSet<>();
        for (HostPort address : upstream) {
            if (address.port() == 0) {
                throw layers.wrong(ConfigKey.UPSTREAM, address + " has port 0");
            }
            if (!seen.add(address.toString())) {
                throw layers.wrong(ConfigKey.UPSTREAM, address + " is there twice");
            }
            layers.requireDifferent(ConfigKey.UPSTREAM, address, ConfigKey.LISTEN_CLIENT, client);
        }
    }
}
