package io.holdfast.chaos.load;

import io.holdfast.chaos.history.HistoryWriter;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.session.SessionState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The clients of a process. Each tells its session's states to the history; an expired one is put in the place of by a new one. */
final class Sessions implements AutoCloseable {
    static final Duration CALL_TIMEOUT = Duration.ofSeconds(5);

    private final LoadConfig config;
    private final HistoryWriter history;
    private final List<HoldfastClient> clients = new ArrayList<>();

    Sessions(LoadConfig config, HistoryWriter history) {
        this.config = config;
        this.history = history;
    }

    /** @param name within the process; the checks excuse {@code relayed} ones for what relays do */
    HoldfastClient open(String name, String endpoints) {
        HoldfastClient client = HoldfastClient.builder()
                .withoutCache()
                .endpoints(endpoints)
                .sessionLease(Duration.ofMillis(config.leaseMillis()))
                .clientName(config.name() + "-" + name)
                .callTimeout(CALL_TIMEOUT)
                .build();
        clients.add(client);
        var unused = client.onState(change -> {
            history.state(name, change.state().name(), config.leaseMillis(), change.reason());
            if (change.state() == SessionState.EXPIRED) {
                client.newSession();
            }
        });
        return client;
    }

    @Override
    public void close() {
        clients.forEach(HoldfastClient::close);
    }
}
