package io.holdfast.bench.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Questions to a server's own HTTP port. */
final class Http {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    private Http() {}

    static String get(String url) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT).build());
    }

    static String post(String url, String json) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url))
                .timeout(TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build());
    }

    private static String send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(request.uri() + " answers " + response.statusCode());
        }
        return response.body();
    }

    /** The first string value of a key, or empty. */
    static String stringOf(String json, String key) {
        Matcher matcher =
                Pattern.compile("\"" + key + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
        return matcher.find() ? matcher.group(1) : "";
    }

    /** The number right behind what a regular expression matches first, or 0. */
    static long numberBehind(String json, String regex) {
        Matcher matcher = Pattern.compile(regex + "(\\d+)").matcher(json);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }
}
