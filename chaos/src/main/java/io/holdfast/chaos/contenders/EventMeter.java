package io.holdfast.chaos.contenders;

import io.holdfast.chaos.show.ShowCell;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads from all replicas' metrics how many events they sent. <b>Thread:</b> one. */
final class EventMeter {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Pattern EVENTS = Pattern.compile(
            "^holdfast_events_total\\{[^}]*kind=\"(grant|watch)\"[^}]*} ([0-9.eE+]+)$", Pattern.MULTILINE);

    private final ShowCell cell;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    EventMeter(ShowCell cell) {
        this.cell = cell;
    }

    /**
     * Of all replicas since they started.
     *
     * @throws IllegalStateException if one of them does not count them
     */
    LeadJudge.Events read() throws IOException, InterruptedException {
        double grants = 0;
        double watches = 0;
        for (var replica : cell.replicas()) {
            String address = cell.httpAddress(replica.name());
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + "/metrics"))
                    .timeout(TIMEOUT)
                    .build();
            String text =
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            Matcher found = EVENTS.matcher(text);
            boolean any = false;
            while (found.find()) {
                any = true;
                if (found.group(1).equals("grant")) {
                    grants += Double.parseDouble(found.group(2));
                } else {
                    watches += Double.parseDouble(found.group(2));
                }
            }
            if (!any) {
                throw new IllegalStateException(address + " does not count the events that it sends");
            }
        }
        return new LeadJudge.Events((long) grants, (long) watches);
    }
}
