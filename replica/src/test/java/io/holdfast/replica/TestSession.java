package io.holdfast.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.List;

/** A client's stream to a replica, as its front end forwards it. */
final class TestSession {
    final TestReplica replica;
    final long link;
    final long stream;
    final byte[] secret = new byte[16];
    private final TestCluster cluster;
    SessionId session;
    long nextId = 1;
    private boolean caching;
    private long nextSend = 1_000;

    TestSession(TestCluster cluster, TestReplica replica, long link, long stream) {
        this.cluster = cluster;
        this.replica = replica;
        this.link = link;
        this.stream = stream;
        secret[0] = (byte) stream;
        secret[1] = (byte) link;
    }

    static TestSession opened(TestCluster cluster, TestReplica leader, long stream) {
        TestSession client = new TestSession(cluster, leader, 1, stream);
        client.open(12_000);
        client.attach(1);
        return client;
    }

    /** One that caches; its cache lease runs when it returns. */
    static TestSession caching(TestCluster cluster, TestReplica leader, long stream) {
        TestSession client = new TestSession(cluster, leader, 1, stream);
        client.caching = true;
        client.open(12_000);
        client.attach(1);
        assertThat(client.renewCache()).isTrue();
        return client;
    }

    /** Whether a KeepAlive renews the cache lease. */
    boolean renewCache() {
        send(new ClientFrame.KeepAlive(nextSend++));
        ServerFrame.KeepAliveAck ack = one(ServerFrame.KeepAliveAck.class);
        assertThat(ack.renewed()).isTrue();
        return ack.cacheRenewed();
    }

    /** Reads a value to cache it; what came of it. */
    ServerFrame.ReadReply cacheableRead(String path) {
        send(new ClientFrame.Read(nextSend++, reading(path), 0, true));
        return one(ServerFrame.ReadReply.class);
    }

    void open(long leaseMillis) {
        send(new ClientFrame.Open(1, secret, leaseMillis, "test", caching));
        session = one(ServerFrame.Opened.class).session();
    }

    void attach(long attachment) {
        send(new ClientFrame.Attach(session, secret, attachment));
        one(ServerFrame.Attached.class);
    }

    void send(ClientFrame frame) {
        replica.client(link, stream, frame);
    }

    /** Sends a request; its id. */
    long request(Operation operation) {
        long id = nextId++;
        send(new ClientFrame.Request(id, 0, operation));
        return id;
    }

    Outcome call(Operation operation) {
        long id = request(operation);
        ServerFrame.Reply reply = one(ServerFrame.Reply.class);
        assertThat(reply.requestId()).isEqualTo(id);
        return reply.outcome();
    }

    Outcome.Placed acquire(String lock) {
        return (Outcome.Placed) call(acquiring(lock));
    }

    static Operation acquiring(String lock) {
        return new Operation.Acquire(new NodePath(lock), LockMode.EXCLUSIVE, false, 0, new byte[0]);
    }

    static Operation putting(String path) {
        return new Operation.Put(new NodePath(path), new byte[] {1}, Operation.ANY_VERSION);
    }

    static Query reading(String path) {
        return new Query.GetValue(new NodePath(path));
    }

    /** Lets everything settle and returns what came. */
    List<ServerFrame> received() {
        cluster.settle();
        return replica.take(link, stream);
    }

    <F extends ServerFrame> F one(Class<F> type) {
        List<ServerFrame> frames = received();
        assertThat(frames).singleElement().isInstanceOf(type);
        return type.cast(frames.get(0));
    }
}
