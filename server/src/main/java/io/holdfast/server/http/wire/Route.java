package io.holdfast.server.http.wire;

import java.util.Set;
import java.util.TreeSet;

/**
 * What is answered by one method at one path.
 *
 * @param path exact, or with {@code /{path}} at its end for everything below it
 * @param parameters of the query that it knows, beside the timeout
 * @param effect whether it may change something
 */
public record Route(String method, String path, Set<String> parameters, Effect effect, Answering answering) {
    private static final String REST = "/{path}";

    /** What a failure without an answer leaves open. */
    public enum Effect {
        NONE,
        CHANGES
    }

    public static Route get(String path, Set<String> parameters, Answering answering) {
        return new Route("GET", path, parameters, Effect.NONE, answering);
    }

    boolean matches(String rawPath) {
        if (!path.endsWith(REST)) {
            return path.equals(rawPath);
        }
        String prefix = path.substring(0, path.length() - REST.length());
        return rawPath.startsWith(prefix + "/");
    }

    /** All parameters that a call may have. */
    Set<String> allParameters() {
        Set<String> all = new TreeSet<>(parameters);
        all.add(Call.TIMEOUT_PARAMETER);
        return all;
    }
}
