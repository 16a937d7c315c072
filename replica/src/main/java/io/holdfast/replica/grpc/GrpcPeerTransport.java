package io.holdfast.replica.grpc;

import io.grpc.ServerServiceDefinition;
import io.holdfast.protocol.grpc.StreamService;
import io.holdfast.protocol.grpc.WireThreads;
import io.holdfast.protocol.proto.HoldfastPeerGrpc;
import io.holdfast.protocol.proto.PeerMessage;
import io.holdfast.replica.LoopInput;
import io.holdfast.replica.PeerFrame;
import io.holdfast.replica.PeerTransport;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Peer frames over gRPC: one stream to each peer for what is sent, one from each for what arrives. Each has a connection of
 * its own, so one way may be cut while the other works (scenario C84).
 *
 * <p>A connection that breaks is dialled again for ever, with a jittered delay of 50 ms to 1 s and the name looked up anew
 * (C116). So is one over which nothing is heard from the peer although something was sent ({@link LinkWatch}). When an
 * established stream to or from a peer ends, {@link LoopInput.PeerClosed} is posted; a failure to connect
 * posts nothing.
 *
 * <p><b>Thread:</b> any.
 */
public final class GrpcPeerTransport implements PeerTransport, AutoCloseable {
    /** Default bound of what waits for one peer: the appends in flight to it. */
    public static final long DEFAULT_MAX_WAITING_BYTES = 64L << 20;

    /** Default time without a word after which a connection is given up that something was sent over. */
    public static final long DEFAULT_SILENCE_MILLIS = 2_000;

    private final WireThreads threads;
    private final long maxWaitingBytes;
    private final long silenceMillis;
    private final Map<String, PeerLink> links = new ConcurrentHashMap<>();
    private final PeerInbound inbound = new PeerInbound(this::post);

    private volatile @Nullable Consumer<LoopInput> mailbox;
    private volatile boolean closed;

    public GrpcPeerTransport(WireThreads threads) {
        this(threads, DEFAULT_MAX_WAITING_BYTES, DEFAULT_SILENCE_MILLIS);
    }

    /**
     * @param maxWaitingBytes for each peer; newer frames are dropped while more than this waits
     * @param silenceMillis about how long a connection is trusted that something is sent over and nothing is heard from
     */
    public GrpcPeerTransport(WireThreads threads, long maxWaitingBytes, long silenceMillis) {
        this.threads = threads;
        this.maxWaitingBytes = maxWaitingBytes;
        this.silenceMillis = silenceMillis;
    }

    /** From now on what arrives goes to {@code loopMailbox}; what arrived before is lost. */
    public void start(Consumer<LoopInput> loopMailbox) {
        mailbox = loopMailbox;
    }

    /**
     * Sets where a peer is reached and dials it. The same address again changes nothing.
     *
     * @param address {@code host:port}; an IPv6 host in brackets
     */
    public void setPeer(String name, String address) {
        links.compute(name, (same, old) -> {
            if (closed || (old != null && old.address().equals(address))) {
                return old;
            }
            if (old != null) {
                old.close();
            }
            PeerLink link = new PeerLink(name, address, threads, maxWaitingBytes, silenceMillis, this::post);
            link.connect();
            return link;
        });
    }

    /** Closes the connection to a peer and forgets its address. */
    public void removePeer(String name) {
        PeerLink link = links.remove(name);
        if (link != null) {
            link.close();
        }
    }

    @Override
    public void send(String peer, PeerFrame frame) {
        PeerLink link = links.get(peer);
        if (link != null) {
            link.send(frame);
        }
    }

    /** The service that peers connect to; goes into the server on the peer port. */
    public ServerServiceDefinition service() {
        return StreamService.define(
                HoldfastPeerGrpc.getExchangeMethod(), PeerMessage.getDefaultInstance(), inbound::accept);
    }

    private void post(LoopInput input) {
        Consumer<LoopInput> to = mailbox;
        if (to != null) {
            to.accept(input);
        }
    }

    /** Closes all connections to peers; those from them end with the server. */
    @Override
    public void close() {
        closed = true;
        for (String name : links.keySet()) {
            removePeer(name);
        }
    }
}
