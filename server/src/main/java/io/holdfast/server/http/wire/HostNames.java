package io.holdfast.server.http.wire;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a port may be called by those who ask it. One that listens on loopback alone is meant for this machine. A name from elsewhere that
 * is made to lead here lets a page that is open in a browser of this machine read and change what it likes, as for the browser that page
 * and this port are one origin (DNS rebinding). So such a port answers to names of loopback, and to the one that it was told to bind.
 *
 * <p>Who names no host is no browser. {@code /livez} says nothing that is worth hiding, and stays open.
 *
 * <p><b>Thread:</b> any.
 *
 * <p><b>Source:</b> ADR 0016.
 */
final class HostNames {
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[::1\\]");
    private static final Pattern PORT = Pattern.compile(":[0-9]*$");
    private static final String OPEN_PATH = "/livez";

    /** Null if the port listens beyond loopback, where its names are not known. */
    private final @Nullable String bound;

    private HostNames(@Nullable String bound) {
        this.bound = bound;
    }

    /** @param bindHost where the port listens; empty for everywhere */
    static HostNames of(String bindHost) {
        try {
            boolean loopback =
                    !bindHost.isEmpty() && InetAddress.getByName(bindHost).isLoopbackAddress();
            return new HostNames(loopback ? bindHost.toLowerCase(Locale.ROOT) : null);
        } catch (UnknownHostException unknown) {
            return new HostNames(null); // nor can it be bound
        }
    }

    /** @throws Problem 403 if the request was meant for a host that this is not */
    void check(HttpServletRequest request) {
        String host = request.getHeader("Host");
        if (bound != null && host != null && !request.getRequestURI().equals(OPEN_PATH) && !isOurs(host, bound)) {
            throw new Problem(
                    403,
                    "FORBIDDEN",
                    "Host: this port listens on loopback, and answers to localhost, 127.0.0.1 and [::1] alone");
        }
    }

    private static boolean isOurs(String host, String bound) {
        String name = PORT.matcher(host.toLowerCase(Locale.ROOT)).replaceFirst("");
        return LOOPBACK.matcher(name).matches() || name.equals(bound) || name.equals("[" + bound + "]");
    }
}
