package io.holdfast.server.http.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a request's JSON object, taken out one by one by name. A field that is missing, of the wrong type, out of range or not
 * known is refused and named; nothing is converted.
 */
public final class JsonFields {
    private final JsonNode object;

    private JsonFields(JsonNode object) {
        this.object = object;
    }

    /**
     * Reads a body.
     *
     * @param known names that may be there
     * @throws Problem 400 naming the body, or a field that is not known
     */
    public static JsonFields of(byte[] body, List<String> known) {
        JsonNode object = Json.read(body);
        if (!object.isObject()) {
            throw Problem.invalid("body", "is no JSON object");
        }
        TreeSet<String> unknown = new TreeSet<>();
        object.fieldNames().forEachRemaining(unknown::add);
        known.forEach(unknown::remove);
        if (!unknown.isEmpty()) {
            String name = unknown.first();
            throw Problem.invalid(
                    name.length() > 80 ? name.substring(0, 80) + "…" : name,
                    "is no field of this request; it has " + String.join(", ", known));
        }
        return new JsonFields(object);
    }

    /** @throws Problem 400 if it is missing or no string */
    public String string(String name) {
        return optionalString(name).orElseThrow(() -> Problem.invalid(name, "is missing"));
    }

    /** @throws Problem 400 if it is there and no string */
    public Optional<String> optionalString(String name) {
        JsonNode value = value(name);
        if (value == null) {
            return Optional.empty();
        }
        if (!value.isTextual()) {
            throw Problem.invalid(name, "must be a string");
        }
        return Optional.of(value.textValue());
    }

    /** @throws Problem 400 if it is missing or no whole number of 64 bits */
    public long number(String name) {
        JsonNode value = value(name);
        if (value == null) {
            throw Problem.invalid(name, "is missing");
        }
        return number(name, value);
    }

    /** @throws Problem 400 if it is there and no whole number, or out of range */
    public long numberBetween(String name, long least, long most, long otherwise) {
        JsonNode value = value(name);
        long number = value == null ? otherwise : number(name, value);
        if (number < least || number > most) {
            throw Problem.invalid(name, "is " + number + ", outside " + least + " to " + most);
        }
        return number;
    }

    private static long number(String name, JsonNode value) {
        if (!value.isIntegralNumber()) {
            throw Problem.invalid(name, "must be a whole number");
        }
        if (!value.canConvertToLong()) {
            throw Problem.invalid(name, "does not fit into 64 bits");
        }
        return value.longValue();
    }

    private @Nullable JsonNode value(String name) {
        return object.get(name);
    }
}
