package io.holdfast.client.transport;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Addresses of a cell as users write them: {@code host}, {@code host:port}, {@code [v6]:port}, separated by commas. */
public final class Endpoints {
    public static final int DEFAULT_PORT = 7420;

    private static final int MAX_PORT = 65_535;
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9.])?");
    private static final Pattern V6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(%[A-Za-z0-9._-]+)?");

    private Endpoints() {}

    /**
     * The addresses, each with its port, in order and without repeats.
     *
     * @throws IllegalArgumentException with a message that names the part and what is wrong with it
     */
    public static List<String> parse(String text) {
        Set<String> found = new LinkedHashSet<>();
        for (String part : text.split(",", -1)) {
            found.add(parseOne(part.trim(), text));
        }
        return new ArrayList<>(found);
    }

    private static String parseOne(String part, String text) {
        if (part.isEmpty()) {
            throw bad(part, "is empty", text);
        }
        if (part.contains("://")) {
            throw bad(part, "has a scheme; leave '" + part.substring(0, part.indexOf("://") + 3) + "' out", text);
        }
        if (part.startsWith("[")) {
            int end = part.indexOf(']');
            if (end < 0) {
                throw bad(part, "lacks the closing ']'", text);
            }
            String host = part.substring(1, end);
            if (!V6.matcher(host).matches()) {
                throw bad(part, "has no IPv6 address between the brackets", text);
            }
            return "[" + host + "]:" + port(part, part.substring(end + 1), text);
        }
        int colon = part.indexOf(':');
        if (colon != part.lastIndexOf(':')) {
            throw bad(part, "looks like an IPv6 address; write it in brackets, like [::1]:" + DEFAULT_PORT, text);
        }
        String host = colon < 0 ? part : part.substring(0, colon);
        if (!HOST.matcher(host).matches()) {
            throw bad(part, "has no valid host name", text);
        }
        return host + ":" + port(part, colon < 0 ? "" : part.substring(colon), text);
    }

    /** @param suffix empty, or a colon and the port */
    private static int port(String part, String suffix, String text) {
        if (suffix.isEmpty()) {
            return DEFAULT_PORT;
        }
        String digits = suffix.substring(1);
        boolean wellFormed = suffix.charAt(0) == ':' && !digits.isEmpty() && digits.length() <= 5;
        if (!wellFormed || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw bad(part, "has no valid port after the host", text);
        }
        int port = Integer.parseInt(digits);
        if (port < 1 || port > MAX_PORT) {
            throw bad(part, "has a port out of range: 1 to " + MAX_PORT + " are allowed", text);
        }
        return port;
    }

    private static IllegalArgumentException bad(String part, String problem, String text) {
        String where = part.equals(text) ? "" : " in '" + text + "'";
        return new IllegalArgumentException("endpoint '" + part + "'" + where + " " + problem
                + "; endpoints are host, host:port or [IPv6]:port, separated by commas");
    }
}
