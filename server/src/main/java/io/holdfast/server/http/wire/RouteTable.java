package io.holdfast.server.http.wire;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * All routes. Paths are compared as they are sent, so that no encoding of one path is another's; HEAD is answered where GET is.
 *
 * @param routes no two of which answer the same
 */
public record RouteTable(List<Route> routes) {
    public RouteTable {
        routes = List.copyOf(routes);
    }

    /** @throws Problem 404, or 405 with the methods that are allowed */
    Route find(String method, String rawPath) {
        String asked = method.equals("HEAD") ? "GET" : method;
        Set<String> allowed = new TreeSet<>();
        for (Route route : routes) {
            if (route.matches(rawPath)) {
                if (route.method().equals(asked)) {
                    return route;
                }
                allowed.add(route.method());
            }
        }
        if (allowed.isEmpty()) {
            throw Problem.notFound("there is nothing at " + shown(rawPath));
        }
        if (allowed.contains("GET")) {
            allowed.add("HEAD");
        }
        String all = String.join(", ", allowed);
        throw new Problem(405, "METHOD_NOT_ALLOWED", "this path answers to " + all).header("Allow", all);
    }

    private static String shown(String rawPath) {
        return rawPath.length() > 200 ? rawPath.substring(0, 200) + "…" : rawPath;
    }
}
