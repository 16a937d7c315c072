package io.holdfast.server.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the YAML file of a server. */
final class ConfigFile {
    private final String origin;
    private final ConfigValues values;
    private final ConfigKey.Server server;

    private ConfigFile(String origin, ConfigValues values, ConfigKey.Server server) {
        this.origin = origin;
        this.values = values;
        this.server = server;
    }

    /** Sets in {@code values} what the file says. */
    static void read(Path file, ConfigValues values, ConfigKey.Server server) {
        String origin = file.toString();
        JsonNode root = parse(file, origin);
        if (root == null || root.isMissingNode() || root.isNull()) {
            return;
        }
        if (!root.isObject()) {
            throw ConfigException.of(origin, "this is not a map of keys to values");
        }
        new ConfigFile(origin, values, server).readSection("", root);
    }

    private static JsonNode parse(Path file, String origin) {
        YAMLFactory yaml = YAMLFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        try {
            return onlyDocument(yaml.createParser(Files.readAllBytes(file)), origin);
        } catch (NoSuchFileException missing) {
            throw ConfigException.of(origin, "there is no such file");
        } catch (JsonProcessingException wrong) {
            JsonLocation at = wrong.getLocation();
            String where = at == null ? origin : origin + ":" + at.getLineNr();
            String problem = String.valueOf(wrong.getOriginalMessage());
            throw ConfigException.of(
                    where, "not valid YAML: " + problem.lines().findFirst().orElse("unreadable"));
        } catch (IOException unreadable) {
            throw ConfigException.of(origin, "cannot be read: " + unreadable.getMessage());
        }
    }

    /** A second document would be read by nobody, and the operator would not know. */
    private static JsonNode onlyDocument(JsonParser parser, String origin) throws IOException {
        JsonNode document = new ObjectMapper().readTree(parser);
        if (parser.nextToken() != null) {
            throw ConfigException.of(
                    origin + ":" + parser.currentTokenLocation().getLineNr(),
                    "a second YAML document begins here; a configuration is one, so remove it or its '---'");
        }
        return document;
    }

    private void readSection(String prefix, JsonNode section) {
        for (Map.Entry<String, JsonNode> field : section.properties()) {
            String name = prefix + field.getKey();
            JsonNode value = field.getValue();
            ConfigKey key = ConfigKey.named(name).orElse(null);
            if (key != null && !ConfigKey.of(server).contains(key)) {
                throw ConfigException.of(origin, name, notOfThisServer());
            } else if (key != null) {
                values.set(key, value(key, value), origin);
            } else if (!ConfigKey.isSection(name)) {
                throw unknown(name);
            } else if (value.isObject()) {
                readSection(name + ".", value);
            } else if (!value.isNull()) {
                throw ConfigException.of(origin, name, "must be a map of keys to values, but is " + shown(value));
            }
        }
    }

    private String notOfThisServer() {
        String known = String.join(", ", ConfigKey.keys(server));
        return server == ConfigKey.Server.PROXY
                ? "a replica has this key, a proxy has " + known
                : "a proxy has this key, a replica has " + known;
    }

    private ConfigException unknown(String name) {
        List<String> keys = ConfigKey.keys(server);
        String suggestion = NearestName.to(name, keys)
                .map(nearest -> "; did you mean '" + nearest + "'?")
                .orElse("; known are " + String.join(", ", keys));
        return ConfigException.of(origin, name, "unknown key" + suggestion);
    }

    private Object value(ConfigKey key, JsonNode node) {
        try {
            return switch (key.type()) {
                case TEXT -> text(key, node);
                case ADDRESS -> HostPort.parse(text(key, node));
                case INTEGER -> integer(key, node);
                case RANGE -> range(key, node);
                case MEMBERS -> members(key, node);
                case ADDRESSES -> addresses(key, node);
            };
        } catch (IllegalArgumentException wrong) {
            throw ConfigException.of(origin, key.key(), String.valueOf(wrong.getMessage()));
        }
    }

    private String text(ConfigKey key, JsonNode node) {
        if (!node.isTextual()) {
            throw wrongType(key, node);
        }
        return node.textValue();
    }

    private Long integer(ConfigKey key, JsonNode node) {
        if (!node.isIntegralNumber() || !node.canConvertToLong()) {
            throw wrongType(key, node);
        }
        return node.longValue();
    }

    private List<Long> range(ConfigKey key, JsonNode node) {
        if (!node.isArray() || node.size() != 2) {
            throw wrongType(key, node);
        }
        return List.of(integer(key, node.get(0)), integer(key, node.get(1)));
    }

    private SortedMap<String, HostPort> members(ConfigKey key, JsonNode node) {
        if (!node.isObject()) {
            throw wrongType(key, node);
        }
        SortedMap<String, HostPort> members = new TreeMap<>();
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            members.put(member.getKey(), HostPort.parse(text(key, member.getValue())));
        }
        return members;
    }

    private List<HostPort> addresses(ConfigKey key, JsonNode node) {
        if (!node.isArray()) {
            throw wrongType(key, node);
        }
        List<HostPort> addresses = new ArrayList<>();
        for (JsonNode address : node) {
            addresses.add(HostPort.parse(text(key, address)));
        }
        return addresses;
    }

    private ConfigException wrongType(ConfigKey key, JsonNode node) {
        return ConfigException.of(origin, key.key(), "must be " + key.type().description + ", but is " + shown(node));
    }

    private static String shown(JsonNode node) {
        if (node.isNull()) {
            return "empty";
        }
        String text = node.toString();
        return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }
}
