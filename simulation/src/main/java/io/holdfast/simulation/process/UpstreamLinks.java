package io.holdfast.simulation.process;

import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.LeadersView;
import io.holdfast.protocol.frame.UpstreamFrame;
import io.holdfast.replica.LoopInput;
import io.holdfast.replica.UpstreamSink;
import io.holdfast.simulation.check.StoppedStreams;
import io.holdfast.simulation.network.Stream;
import io.holdfast.simulation.network.StreamEnd;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The leader's side of the links that front ends open to a replica. */
final class UpstreamLinks implements UpstreamSink {
    /** Asks on a stream to be told who leads; what proxies do. */
    static final Object FOLLOW = new Object();

    private final SimReplica replica;
    private final StoppedStreams checks;
    private final Map<Long, Stream> links = new TreeMap<>();
    private final Set<Long> followers = new TreeSet<>();
    private long nextLink = 1;

    UpstreamLinks(SimReplica replica, StoppedStreams checks) {
        this.replica = replica;
        this.checks = checks;
    }

    /** The end of a new link; {@link #opened} must follow. */
    StreamEnd accept(long link) {
        return new StreamEnd() {
            @Override
            public void received(Object frame) {
                if (frame instanceof UpstreamFrame upstream) {
                    checks.received(UpstreamLinks.this, link, upstream);
                    replica.offer(new LoopInput.FromUpstream(link, upstream));
                } else if (frame == FOLLOW) {
                    followers.add(link);
                    replica.tellFollowers();
                } else {
                    sendAny(link, frame);
                }
            }

            @Override
            public void closed() {
                links.remove(link);
                followers.remove(link);
                replica.offer(new LoopInput.UpstreamClosed(link));
            }
        };
    }

    long newLink() {
        return nextLink++;
    }

    void opened(long link, Stream stream) {
        links.put(link, stream);
    }

    boolean hasFollowers() {
        return !followers.isEmpty();
    }

    void tellFollowers(LeadersView view) {
        followers.forEach(link -> sendAny(link, view));
    }

    private void sendAny(long link, Object frame) {
        Stream stream = links.get(link);
        if (stream != null) {
            stream.sendFromAcceptor(frame);
        }
    }

    @Override
    public void send(long link, DownstreamFrame frame) {
        checks.sent(this, link, frame);
        sendAny(link, frame);
    }

    @Override
    public void close(long link) {
        Stream stream = links.remove(link);
        followers.remove(link);
        if (stream != null) {
            stream.closeFromAcceptor();
        }
    }
}
