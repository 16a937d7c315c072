package io.holdfast.chaos.net;

import io.holdfast.chaos.proc.Shell;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts processes off from everybody, as if their cable was pulled: the bridge drops what comes from them and what goes to them. One
 * command does it, so that the length of a cut is exact on a busy machine too; {@link Firewall} needs one for each receiver.
 *
 * <p><b>Thread:</b> one.
 */
public final class Cables {
    private static final Pattern PACKETS = Pattern.compile("packets ([0-9]+)");

    private Cables() {}

    /** All of them, in one step. */
    public static void pull(List<String> names) {
        StringBuilder rules = new StringBuilder();
        for (String name : names) {
            rules.append("table bridge ").append(table(name)).append(" {\n");
            for (String hook : List.of("input", "forward", "output")) {
                rules.append(" chain ").append(hook).append("_of_hub {\n");
                rules.append("  type filter hook ").append(hook).append(" priority 0;\n");
                if (!hook.equals("output")) {
                    rules.append("  iifname ").append(port(name)).append(" counter drop\n");
                }
                if (!hook.equals("input")) {
                    rules.append("  oifname ").append(port(name)).append(" counter drop\n");
                }
                rules.append(" }\n");
            }
            rules.append("}\n");
        }
        Shell.runWithInput(rules.toString(), "nft", "-f", "-");
    }

    /** Plugs one in again; returns how many packets were dropped. */
    public static long plugIn(String name) {
        Matcher counters = PACKETS.matcher(Shell.run("nft", "list", "table", "bridge", table(name)));
        Shell.run("nft", "delete", "table", "bridge", table(name));
        long packets = 0;
        while (counters.find()) {
            packets += Long.parseLong(counters.group(1));
        }
        return packets;
    }

    private static String table(String name) {
        return "pulled_" + name;
    }

    private static String port(String name) {
        return "\"" + Namespaces.port(name) + "\"";
    }
}
