package io.holdfast.chaos.net;

import io.holdfast.chaos.proc.Shell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Drops packets between chosen processes, each direction by itself, with nftables in the receiver's namespace.
 *
 * <p><b>Thread:</b> any; cuts of several faults add up.
 */
public final class Firewall {
    private static final Pattern PACKETS = Pattern.compile("counter packets (\\d+)");

    private final Topology topology;
    private final Map<Object, Set<Cut>> cuts = new LinkedHashMap<>();

    /**
     * Packets that never arrive.
     *
     * @param from name of the sender, or {@link #HUB}
     * @param to name of the receiver; it has a namespace
     */
    public record Cut(String from, String to) implements Comparable<Cut> {
        @Override
        public int compareTo(Cut other) {
            int byTo = to.compareTo(other.to);
            return byTo != 0 ? byTo : from.compareTo(other.from);
        }
    }

    /** The harness, with its relays. */
    public static final String HUB = "hub";

    public Firewall(Topology topology) {
        this.topology = topology;
    }

    /** Cuts, in addition to what others have cut. */
    public synchronized void cut(Object owner, Set<Cut> more) {
        cuts.put(owner, new TreeSet<>(more));
        apply(more);
    }

    /** Takes an owner's cuts away; returns how many packets were dropped on the links concerned. */
    public synchronized long mend(Object owner) {
        Set<Cut> old = cuts.remove(owner);
        if (old == null) {
            return 0;
        }
        long dropped = 0;
        for (String receiver : receivers(old)) {
            dropped += dropped(receiver);
        }
        apply(old);
        return dropped;
    }

    private static Set<String> receivers(Set<Cut> changed) {
        Set<String> receivers = new TreeSet<>();
        changed.forEach(cut -> receivers.add(cut.to()));
        return receivers;
    }

    private void apply(Set<Cut> changed) {
        Map<String, List<String>> dropped = new TreeMap<>();
        for (String receiver : receivers(changed)) {
            dropped.put(receiver, new ArrayList<>());
        }
        cuts.values()
                .forEach(set -> set.forEach(cut -> {
                    List<String> senders = dropped.get(cut.to());
                    if (senders != null) {
                        senders.add(cut.from().equals(HUB) ? topology.hub() : topology.host(cut.from()));
                    }
                }));
        dropped.forEach(this::setRules);
    }

    private void setRules(String receiver, List<String> senders) {
        StringBuilder rules = new StringBuilder("flush ruleset\n");
        if (!senders.isEmpty()) {
            rules.append("table ip chaos {\n chain in {\n  type filter hook input priority 0;\n");
            new TreeSet<>(senders)
                    .forEach(address ->
                            rules.append("  ip saddr ").append(address).append(" counter drop\n"));
            rules.append(" }\n}\n");
        }
        Shell.runWithInput(rules.toString(), in(receiver, "nft", "-f", "-"));
    }

    private long dropped(String receiver) {
        Matcher counters = PACKETS.matcher(Shell.run(in(receiver, "nft", "list", "ruleset")));
        long packets = 0;
        while (counters.find()) {
            packets += Long.parseLong(counters.group(1));
        }
        return packets;
    }

    private String[] in(String name, String... command) {
        List<String> all = new ArrayList<>(topology.prefix(name));
        all.addAll(List.of(command));
        return all.toArray(String[]::new);
    }
}
