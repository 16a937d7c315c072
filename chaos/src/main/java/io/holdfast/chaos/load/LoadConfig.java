package io.holdfast.chaos.load;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a client process is told on its command line.
 *
 * @param name of the process and its life, unique in the run
 * @param direct endpoints of all replicas
 * @param relayed endpoints of the relays in front of them
 * @param replicas endpoint of each replica by its name
 * @param startNanos of the run, so that all processes change to new keys together
 */
public record LoadConfig(
        String name,
        String direct,
        String relayed,
        Map<String, String> replicas,
        String fenceHost,
        int fencePort,
        Path history,
        long seed,
        long startNanos,
        long leaseMillis) {
    private static final int ARGUMENTS = 9;

    /** As {@link #parse} takes it. */
    public List<String> toArguments() {
        StringBuilder each = new StringBuilder();
        replicas.forEach((replica, endpoint) -> each.append(each.isEmpty() ? "" : ",")
                .append(replica)
                .append('=')
                .append(endpoint));
        return List.of(
                name,
                direct,
                relayed,
                each.toString(),
                fenceHost + ":" + fencePort,
                history.toString(),
                Long.toString(seed),
                Long.toString(startNanos),
                Long.toString(leaseMillis));
    }

    static LoadConfig parse(String[] args) {
        if (args.length != ARGUMENTS) {
            throw new IllegalArgumentException(ARGUMENTS + " arguments are needed, not " + args.length);
        }
        Map<String, String> replicas = new LinkedHashMap<>();
        for (String each : args[3].split(",")) {
            replicas.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
        }
        int colon = args[4].lastIndexOf(':');
        return new LoadConfig(
                args[0],
                args[1],
                args[2],
                replicas,
                args[4].substring(0, colon),
                Integer.parseInt(args[4].substring(colon + 1)),
                Path.of(args[5]),
                Long.parseLong(args[6]),
                Long.parseLong(args[7]),
                Long.parseLong(args[8]));
    }
}
