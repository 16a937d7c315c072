package io.holdfast.server.config;

import java.util.ArrayList;
import java.util.List;

/** What is allowed in a configuration and is probably not meant. */
public final class ConfigDoubts {
    private ConfigDoubts() {}

    /** Each in one line that names the key; {@code --check} and the start print them. */
    public static List<String> of(ReplicaConfig config) {
        List<String> doubts = new ArrayList<>();
        int count = config.members().size();
        if (count % 2 == 0) {
            doubts.add(ConfigKey.MEMBERS.key() + ": " + count + " replicas survive the loss of " + (count - 1) / 2
                    + (count == 2 ? ", as 1 does" : ", as " + (count - 1) + " do") + "; use an odd number");
        }
        HostPort others = config.members().get(config.naming().replica());
        HostPort own = config.listen().peer();
        if (others != null && own.port() != 0 && others.port() != own.port()) {
            doubts.add(ConfigKey.LISTEN_PEER.key() + ": this replica listens on " + own
                    + ", but the others look for it at " + others + " (" + ConfigKey.MEMBERS.key() + ")");
        } else if (others != null && count > 1 && own.isLoopback() && !others.isLoopback()) {
            doubts.add(ConfigKey.LISTEN_PEER.key() + ": " + own + " cannot be reached from other machines, but "
                    + ConfigKey.MEMBERS.key() + " says " + others);
        }
        return doubts;
    }
}
