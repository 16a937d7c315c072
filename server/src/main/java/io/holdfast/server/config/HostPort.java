package io.holdfast.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;

/**
 * A host and a TCP port, written {@code host:port}; an IPv6 address stands in brackets: {@code [::1]:7420}.
 *
 * @param host a name or an address, without brackets
 * @param port 0 to 65535; 0 lets the system choose when binding
 */
public record HostPort(String host, int port) {
    private static final int MAX_PORT = 65_535;

    public HostPort {
        if (host.isEmpty() || host.chars().anyMatch(c -> c <= ' ' || c == '/' || c == '[' || c == ']' || c == ',')) {
            throw new IllegalArgumentException("'" + host + "' is not a host name or address");
        }
        if (host.indexOf(':') >= 0 && !isIpv6(host)) {
            throw new IllegalArgumentException("'" + host + "' is not an IPv6 address");
        }
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("port " + port + " is outside 0 to " + MAX_PORT);
        }
    }

    /**
     * Reads {@code host:port}.
     *
     * @throws IllegalArgumentException with a message that says what is wrong
     */
    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("'" + text + "' has no port: write host:port");
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
            if (host.indexOf(':') < 0) {
                throw new IllegalArgumentException("'" + text + "': only an IPv6 address stands in brackets");
            }
        } else if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException("'" + text + "': write an IPv6 address in brackets, as in [::1]:7420");
        }
        String port = text.substring(colon + 1);
        if (!port.matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException("'" + text + "' has no valid port: write host:port");
        }
        return new HostPort(host, Integer.parseInt(port));
    }

    /** Whether it is written as one; nothing is looked up. A zone is the reader's own: another machine may lack it. */
    private static boolean isIpv6(String text) {
        int percent = text.indexOf('%');
        String address = percent < 0 ? text : text.substring(0, percent);
        if (address.indexOf(':') < 0
                || !(percent < 0 || text.substring(percent + 1).matches("[A-Za-z0-9._-]+"))) {
            return false;
        }
        try {
            InetAddress unused = InetAddress.getByName("[" + address + "]"); // in brackets it is never looked up
            return true;
        } catch (UnknownHostException noAddress) {
            return false;
        }
    }

    /** Whether only this machine can reach it. Judged by how it is written: names are not looked up. */
    public boolean isLoopback() {
        String name = host.toLowerCase(Locale.ROOT);
        return name.equals("localhost")
                || name.endsWith(".localhost")
                || name.matches("127(\\.[0-9]{1,3}){3}")
                || name.equals("::1")
                || name.matches("0{1,4}(:0{1,4}){6}:0{0,3}1");
    }

    /** The same host with another port. */
    public HostPort withPort(int otherPort) {
        return new HostPort(host, otherPort);
    }

    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
