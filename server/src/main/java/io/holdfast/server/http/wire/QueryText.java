package io.holdfast.server.http.wire;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of an address behind the question mark. Pure. */
final class QueryText {
    private QueryText() {}

    /**
     * The parameters in their order.
     *
     * @throws Problem 400 naming a parameter that does not decode or comes twice
     */
    static Map<String, String> parse(@Nullable String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (query == null || query.isEmpty()) {
            return parameters;
        }
        for (String pair : query.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String name = PercentText.decode("query", equals < 0 ? pair : pair.substring(0, equals), true);
            String value = equals < 0 ? "" : PercentText.decode(name, pair.substring(equals + 1), true);
            if (parameters.put(name, value) != null) {
                throw Problem.invalid(name, "is given twice");
            }
        }
        return parameters;
    }
}
