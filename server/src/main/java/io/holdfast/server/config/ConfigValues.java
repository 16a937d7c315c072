package io.holdfast.server.config;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Values by key, each with where it was set last. */
final class ConfigValues {
    /**
     * One value.
     *
     * @param value a String, HostPort, Long, List of two Longs or of HostPorts, or SortedMap of names to HostPorts, as the key's type says
     * @param origin the file, or the name of the variable or flag
     */
    record Setting(Object value, String origin) {}

    private final Map<ConfigKey, Setting> settings = new EnumMap<>(ConfigKey.class);

    void set(ConfigKey key, Object value, String origin) {
        settings.put(key, new Setting(value, origin));
    }

    /** Reads a value written as text, as in the environment and on the command line. */
    void setText(ConfigKey key, String text, String origin) {
        try {
            set(key, parse(key.type(), text.strip()), origin);
        } catch (IllegalArgumentException wrong) {
            throw ConfigException.of(origin, key.key(), String.valueOf(wrong.getMessage()));
        }
    }

    private static Object parse(ConfigKey.Type type, String text) {
        return switch (type) {
            case TEXT -> text;
            case ADDRESS -> HostPort.parse(text);
            case INTEGER -> integer(text);
            case RANGE -> range(text);
            case MEMBERS -> members(text);
            case ADDRESSES -> addresses(text);
        };
    }

    private static Long integer(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number");
        }
    }

    private static List<Long> range(String text) {
        String[] parts = text.split(",", -1);
        if (parts.length != 2) {
            throw new IllegalArgumentException("'" + text + "' is not two whole numbers: write 1000,2000");
        }
        return List.of(integer(parts[0].strip()), integer(parts[1].strip()));
    }

    private static SortedMap<String, HostPort> members(String text) {
        SortedMap<String, HostPort> members = new TreeMap<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("'" + part.strip() + "' is not a member: write r1=host:port");
            }
            String name = part.substring(0, equals).strip();
            if (members.put(name, HostPort.parse(part.substring(equals + 1).strip())) != null) {
                throw new IllegalArgumentException("member '" + name + "' is there twice");
            }
        }
        return members;
    }

    private static List<HostPort> addresses(String text) {
        List<HostPort> addresses = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            addresses.add(HostPort.parse(part.strip()));
        }
        return addresses;
    }

    /** Where a key was set, for messages. */
    String origin(ConfigKey key, String otherwise) {
        Setting setting = settings.get(key);
        return setting == null ? otherwise : setting.origin();
    }

    Optional<String> text(ConfigKey key) {
        return Optional.ofNullable(settings.get(key)).map(setting -> (String) setting.value());
    }

    Optional<HostPort> address(ConfigKey key) {
        return Optional.ofNullable(settings.get(key)).map(setting -> (HostPort) setting.value());
    }

    Optional<Long> integer(ConfigKey key) {
        return Optional.ofNullable(settings.get(key)).map(setting -> (Long) setting.value());
    }

    @SuppressWarnings("unchecked")
    Optional<List<Long>> range(ConfigKey key) {
        return Optional.ofNullable(settings.get(key)).map(setting -> (List<Long>) setting.value());
    }

    @SuppressWarnings("unchecked")
    Optional<SortedMap<String, HostPort>> members(ConfigKey key) {
        return Optional.ofNullable(settings.get(key)).map(setting -> (SortedMap<String, HostPort>) setting.value());
    }

    @SuppressWarnings("unchecked")
    Optional<List<HostPort>> addresses(ConfigKey key) {
        return Optional.ofNullable(settings.get(key)).map(setting -> (List<HostPort>) setting.value());
    }
}
