package io.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** {@code /openapi.json}, and what of it was really seen. */
final class Spec {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String OFFICIAL = "openapi-3.1-schema.json";

    private final JsonNode document;
    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private final Set<String> seen = new TreeSet<>();

    Spec(byte[] served) {
        this.document = read(served);
    }

    static JsonNode read(byte[] json) {
        try {
            return JSON.readTree(json);
        } catch (IOException bad) {
            throw new UncheckedIOException(bad);
        }
    }

    JsonNode document() {
        return document;
    }

    /** By the OpenAPI Initiative's own schema of OpenAPI 3.1. */
    List<String> violations() {
        try (InputStream in = Spec.class.getResourceAsStream(OFFICIAL)) {
            return texts(registry.getSchema(JSON.readTree(in)).validate(document));
        } catch (IOException bad) {
            throw new UncheckedIOException(bad);
        }
    }

    /** Of all schemas, by the schema of schemas. */
    List<String> violationsOfSchemas() {
        var dialect = registry.getSchema(
                com.networknt.schema.SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
        return document.at("/components/schemas").properties().stream()
                .flatMap(entry -> texts(dialect.validate(entry.getValue())).stream()
                        .map(problem -> entry.getKey() + ": " + problem))
                .toList();
    }

    private static List<String> texts(List<com.networknt.schema.Error> errors) {
        return errors.stream().map(Object::toString).toList();
    }

    /** As {@code GET /v1/cell}. */
    Map<String, JsonNode> operations() {
        Map<String, JsonNode> operations = new LinkedHashMap<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(operation -> operations.put(
                                operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(),
                                operation.getValue())));
        return operations;
    }

    Set<String> queryParameters(String operation) {
        Set<String> names = new TreeSet<>();
        operations().get(operation).get("parameters").forEach(each -> {
            JsonNode parameter = resolved(each);
            if (parameter.get("in").textValue().equals("query")) {
                names.add(parameter.get("name").textValue());
            }
        });
        return names;
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.get("$ref").textValue().substring(1)) : node;
    }

    /** An answer that came: it must be documented, and its body must fit. */
    void saw(String operation, int status, String contentType, byte[] body) {
        JsonNode responses = operations().get(operation).get("responses");
        assertThat(responses.has(Integer.toString(status)))
                .as("%s answered %d, which is not documented: %s", operation, status, new String(body))
                .isTrue();
        seen.add(operation + " " + status);
        JsonNode content = resolved(responses.get(Integer.toString(status))).get("content");
        if (content == null) {
            assertThat(body).as("%s %d has no body", operation, status).isEmpty();
            return;
        }
        String type = contentType.split(";")[0];
        assertThat(content.has(type)).as("%s %d is %s", operation, status, type).isTrue();
        if (type.equals("application/json")) {
            fits(content.get(type).get("schema"), read(body), operation + " " + status);
        }
    }

    private void fits(JsonNode schema, JsonNode body, String what) {
        ObjectNode whole = JSON.createObjectNode();
        whole.putArray("allOf").add(schema);
        whole.set("components", document.get("components"));
        assertThat(texts(registry.getSchema(whole).validate(body)))
                .as("%s: %s", what, body)
                .isEmpty();
    }

    /** The examples of requests and answers, each with its schema. */
    void examplesFit() {
        operations().forEach((name, operation) -> {
            operation.path("requestBody").path("content").forEach(content -> exampleFits(name, content));
            operation
                    .get("responses")
                    .forEach(response ->
                            resolved(response).path("content").forEach(content -> exampleFits(name, content)));
        });
    }

    private void exampleFits(String name, JsonNode content) {
        if (content.has("example")) {
            fits(content.get("schema"), content.get("example"), name);
        }
    }

    /** Documented answers that never came. */
    Set<String> unseen() {
        Set<String> missing = new TreeSet<>();
        operations()
                .forEach((name, operation) -> operation.get("responses").properties().stream()
                        .map(Map.Entry::getKey)
                        .filter(status -> !status.equals("default"))
                        .map(status -> name + " " + status)
                        .filter(answer -> !seen.contains(answer))
                        .forEach(missing::add));
        return missing;
    }
}
