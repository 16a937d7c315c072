package io.holdfast.server.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The metrics of a proxy, labelled with the cell that it is in front of and its name. All are read when somebody asks.
 *
 * <p><b>Thread:</b> any for what is read; one at a time for {@link #watch}.
 */
public final class ProxyMetrics {
    private final MeterRegistry registry;
    private final Tags tags;
    /** A counter that is read holds its source only weakly. */
    private final List<Supplier<Number>> sources = new ArrayList<>();

    /**
     * What a proxy has done and has.
     *
     * @param clients connected now
     * @param slowClients cut off so far as they read too slowly
     * @param toLeader frames forwarded so far
     * @param toClients frames delivered so far
     * @param links dialled so far
     * @param waiting frames that wait for a leader
     * @param hasLink whether frames go to a leader just now
     */
    public record Figures(
            int clients, long slowClients, long toLeader, long toClients, long links, int waiting, boolean hasLink) {}

    ProxyMetrics(MeterRegistry registry, String cell, String proxy) {
        this.registry = registry;
        this.tags = Tags.of("cell", cell, "proxy", proxy);
    }

    /**
     * Adds them. Once; they are there as long as this object is kept.
     *
     * @param figures for any thread, at once
     * @param hearing how many upstreams answer; likewise
     */
    public void watch(Supplier<Figures> figures, IntSupplier hearing) {
        gauge("holdfast_proxy_clients", "Client streams", () -> figures.get().clients());
        gauge(
                "holdfast_proxy_link_up",
                "1 while frames go to a leader",
                () -> figures.get().hasLink() ? 1 : 0);
        gauge(
                "holdfast_proxy_frames_waiting",
                "Frames of clients that wait for a leader",
                () -> figures.get().waiting());
        gauge("holdfast_proxy_upstreams_heard", "Replicas that say who leads", hearing::getAsInt);
        counter(
                "holdfast_proxy_links",
                "Links to leaders that were dialled",
                Tags.empty(),
                () -> figures.get().links());
        counter(
                "holdfast_proxy_slow_clients",
                "Clients that were cut off as they read too slowly",
                Tags.empty(),
                () -> figures.get().slowClients());
        counter(
                "holdfast_proxy_frames",
                "Frames that went through",
                Tags.of("to", "leader"),
                () -> figures.get().toLeader());
        counter(
                "holdfast_proxy_frames",
                "Frames that went through",
                Tags.of("to", "clients"),
                () -> figures.get().toClients());
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value)
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private void counter(String name, String description, Tags more, Supplier<Number> value) {
        sources.add(value);
        FunctionCounter.builder(name, value, from -> from.get().doubleValue())
                .description(description)
                .tags(tags.and(more))
                .register(registry);
    }
}
