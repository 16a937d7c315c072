package io.holdfast.proxy.grpc;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All addresses of the configured upstreams. One name may stand for several replicas, and what it stands for may change, so names are
 * looked up again every few seconds (C116). A name that cannot be looked up keeps what it stood for.
 *
 * <p><b>Thread:</b> one of its own, as a lookup may hang; none if no upstream is a name.
 */
final class UpstreamNames implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(UpstreamNames.class);
    /** An address with its port: nothing to look up. */
    private static final Pattern ADDRESS = Pattern.compile("(\\[.*]|[0-9.]+):[0-9]+");

    private static final long AGAIN_SECONDS = 5;
    /** Of one name; more are not asked. */
    private static final int MAX_ADDRESSES = 16;

    private final List<String> literal = new ArrayList<>();
    private final Map<String, List<String>> byName = new TreeMap<>();
    private final Consumer<TreeSet<String>> listener;
    private final ScheduledExecutorService lookups = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "holdfast-dns");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * @param upstreams {@code host:port} each; an IPv6 host in brackets
     * @param listener hears all addresses, on any thread, at least once and then when they may have changed
     */
    UpstreamNames(List<String> upstreams, Consumer<TreeSet<String>> listener) {
        this.listener = listener;
        for (String upstream : upstreams) {
            if (ADDRESS.matcher(upstream).matches()) {
                literal.add(upstream);
            } else {
                byName.put(upstream, List.of());
            }
        }
    }

    void start() {
        listener.accept(new TreeSet<>(literal));
        if (!byName.isEmpty()) {
            var unused = lookups.scheduleWithFixedDelay(this::lookUp, 0, AGAIN_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void lookUp() {
        TreeSet<String> all = new TreeSet<>(literal);
        byName.replaceAll(UpstreamNames::lookUp);
        byName.values().forEach(all::addAll);
        listener.accept(all);
    }

    private static List<String> lookUp(String upstream, List<String> before) {
        int colon = upstream.lastIndexOf(':');
        try {
            InetAddress[] found = InetAddress.getAllByName(upstream.substring(0, colon));
            List<String> addresses = new ArrayList<>();
            for (int i = 0; i < found.length && i < MAX_ADDRESSES; i++) {
                String host = found[i].getHostAddress();
                addresses.add((host.indexOf(':') >= 0 ? "[" + host + "]" : host) + upstream.substring(colon));
            }
            if (!addresses.equals(before)) {
                log.info("{} is {}", upstream, String.join(", ", addresses));
            }
            return addresses;
        } catch (UnknownHostException unknown) {
            log.warn("{} cannot be looked up{}", upstream, before.isEmpty() ? "" : "; it stays " + before);
            return before;
        }
    }

    @Override
    public void close() {
        lookups.shutdownNow();
    }
}
