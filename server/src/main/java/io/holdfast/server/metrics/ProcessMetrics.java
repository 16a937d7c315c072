package io.holdfast.server.metrics;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/**
 * All metrics of a process, in the text form of Prometheus.
 *
 * <p><b>Thread:</b> any.
 */
public final class ProcessMetrics {
    private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    /** The metrics of one replica; one object for each name in a process. */
    public ReplicaMetrics replica(String cell, String replica) {
        return new ReplicaMetrics(registry, cell, replica);
    }

    /** The metrics of the proxy in this process. */
    public ProxyMetrics proxy(String cell, String proxy) {
        return new ProxyMetrics(registry, cell, proxy);
    }

    /** All of them as they are now, in version 0.0.4 of that form. Does not wait for a replica. */
    public String scrape() {
        return registry.scrape(CONTENT_TYPE);
    }
}
