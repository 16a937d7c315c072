package io.holdfast.client;

import io.holdfast.client.grpc.GrpcTransport;
import io.holdfast.client.loop.ClientClock;
import io.holdfast.client.session.SessionConfig;
import io.holdfast.client.transport.ClientTransport;
import io.holdfast.client.transport.Endpoints;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Settings of a client. Each is checked when given; a bad one is refused with the allowed range in the message. */
public final class HoldfastClientBuilder {
    static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(10);
    static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(5);
    /** A few hundred of the largest values, or tens of thousands of small ones. */
    static final long DEFAULT_CACHE_BYTES = 16L << 20;

    private static final Duration MAX_TIMEOUT = Duration.ofHours(24);

    private List<String> endpoints = List.of("127.0.0.1:" + Endpoints.DEFAULT_PORT);
    private long leaseMillis = Limits.DEFAULT_SESSION_LEASE_MILLIS;
    private long graceMillis = SessionConfig.DEFAULT_GRACE_MILLIS;
    private long cacheBytes = DEFAULT_CACHE_BYTES;
    private String clientName = "java-client";
    private Duration callTimeout = DEFAULT_CALL_TIMEOUT;
    private Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;
    private @Nullable Executor callbackExecutor;
    private Supplier<ClientTransport> transport = GrpcTransport::new;
    private ClientClock clock = ClientClock.system();

    HoldfastClientBuilder() {}

    /** Where to find the cell: {@code host}, {@code host:port} or {@code [IPv6]:port}, separated by commas. */
    public HoldfastClientBuilder endpoints(String commaSeparated) {
        endpoints = Failures.checked(() -> Endpoints.parse(commaSeparated));
        return this;
    }

    /** Lease of the session, 4 to 60 s; 12 s by default. A dead client's locks stay at most so long. */
    public HoldfastClientBuilder sessionLease(Duration lease) {
        long millis = Durations.toMillis(lease);
        return checkedConfig(millis, graceMillis);
    }

    /** How long to go on trying after the local lease ended, before the session counts as expired; 45 s by default. */
    public HoldfastClientBuilder grace(Duration grace) {
        long millis = Durations.toMillis(grace);
        return checkedConfig(leaseMillis, millis);
    }

    private HoldfastClientBuilder checkedConfig(long lease, long grace) {
        SessionConfig config = Failures.checked(() -> new SessionConfig(endpoints, lease, grace, clientName));
        leaseMillis = config.leaseMillis();
        graceMillis = config.graceMillis();
        return this;
    }

    /**
     * How many bytes of values that were read are remembered and answered from memory while they are certainly the newest; 16 MiB by
     * default, at most 1 GiB, 0 for none. What was used longest ago goes first. A client with a cache opens a session with the first
     * value that it reads, and a write of what it caches waits until it has let go: a frozen one holds such a write up for at most
     * its session's lease.
     */
    public HoldfastClientBuilder cache(long maxBytes) {
        SessionConfig config =
                Failures.checked(() -> new SessionConfig(endpoints, leaseMillis, graceMillis, clientName, maxBytes));
        cacheBytes = config.cacheBytes();
        return this;
    }

    /** Every read asks the cell; as {@code cache(0)}. */
    public HoldfastClientBuilder withoutCache() {
        return cache(0);
    }

    /** What operators see beside the session; 1 to 512 bytes of UTF-8 without control characters. */
    public HoldfastClientBuilder clientName(String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > Limits.MAX_NAME_BYTES || name.chars().anyMatch(Character::isISOControl)) {
            throw new RefusedException(
                    ErrorCode.INVALID,
                    "client name is refused: 1 to " + Limits.MAX_NAME_BYTES
                            + " bytes of UTF-8 without control characters are allowed, it has " + bytes + " bytes");
        }
        clientName = name;
        return this;
    }

    /** How long the cell may take to answer a call, up to 24 h; 10 s by default. */
    public HoldfastClientBuilder callTimeout(Duration timeout) {
        callTimeout = checkedTimeout("call timeout", timeout);
        return this;
    }

    /** How long closing may wait for the cell's confirmation, up to 24 h; 5 s by default. */
    public HoldfastClientBuilder closeTimeout(Duration timeout) {
        closeTimeout = checkedTimeout("close timeout", timeout);
        return this;
    }

    static Duration checkedTimeout(String what, Duration timeout) {
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new RefusedException(
                    ErrorCode.INVALID, what + " of " + timeout + " is out of range: more than 0, at most 24 h");
        }
        return timeout;
    }

    /**
     * Where listeners are called and futures completed; by default daemon threads of the client's own, 16 at most: if so many
     * callbacks block, all others wait. It must not run tasks on the thread that submits them; the client does not shut it down.
     */
    public HoldfastClientBuilder callbackExecutor(Executor executor) {
        callbackExecutor = Objects.requireNonNull(executor, "executor");
        return this;
    }

    /** Threads that it shares with other clients; by default it has its own. The client does not close them. */
    public HoldfastClientBuilder network(ClientNetwork network) {
        transport = Objects.requireNonNull(network, "network")::transport;
        return this;
    }

    /** Another network, for tests. The client closes it. */
    public HoldfastClientBuilder transport(Supplier<ClientTransport> supplier) {
        transport = Objects.requireNonNull(supplier, "supplier");
        return this;
    }

    /** Other clocks, for tests. */
    HoldfastClientBuilder clock(ClientClock other) {
        clock = other;
        return this;
    }

    /** Starts the client. It connects, and opens its session, with the first call that needs it. */
    public HoldfastClient build() {
        SessionConfig config = new SessionConfig(endpoints, leaseMillis, graceMillis, clientName, cacheBytes);
        return new HoldfastClient(
                config,
                transport.get(),
                clock,
                new Callbacks(callbackExecutor),
                new HoldfastClient.Timeouts(callTimeout, closeTimeout));
    }
}
