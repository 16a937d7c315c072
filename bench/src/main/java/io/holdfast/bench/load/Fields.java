package io.holdfast.bench.load;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** A verb with named values, as one line: {@code verb key=value…}. Values have no spaces. */
public final class Fields {
    private final String verb;
    private final Map<String, String> values = new LinkedHashMap<>();

    public Fields(String verb) {
        this.verb = verb;
    }

    public static Fields parse(String line) {
        String[] words = line.trim().split(" +", -1);
        Fields fields = new Fields(words[0]);
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            fields.values.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        return fields;
    }

    public Fields with(String key, Object value) {
        values.put(key, String.valueOf(value));
        return this;
    }

    public String verb() {
        return verb;
    }

    public String text(String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("no " + key + " in: " + this);
        }
        return value;
    }

    public int integer(String key) {
        return Integer.parseInt(text(key));
    }

    public long number(String key) {
        return Long.parseLong(text(key));
    }

    public double decimal(String key) {
        return Double.parseDouble(text(key));
    }

    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(entry -> " " + entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining("", verb, ""))
                .trim();
    }
}
