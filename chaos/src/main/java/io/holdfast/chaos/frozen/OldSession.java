package io.holdfast.chaos.frozen;

import io.holdfast.chaos.grpc.RawStream;
import io.holdfast.chaos.show.Verdict;
import io.holdfast.model.Limits;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A session on the leader's own client port that stays there whatever happens, and goes on asking.
 *
 * <p><b>Thread:</b> one asks; answers come on a thread of the network.
 */
final class OldSession implements RawStream.Listener, AutoCloseable {
    private static final byte[] VALUE = {1};

    private final String name;
    private final String directory;
    private final NodePath heldLock;
    private final ConfirmationLedger ledger;
    private final Verdict verdict;
    private final RawStream stream;
    private final CompletableFuture<Long> opened = new CompletableFuture<>();

    /**
     * @param name unique in the life of the cell
     * @param heldLock that somebody else holds
     */
    OldSession(String address, String name, NodePath heldLock, Verdict verdict) {
        this.name = name;
        this.directory = "/frozen/" + name + "/";
        this.heldLock = heldLock;
        this.ledger = new ConfirmationLedger(heldLock);
        this.verdict = verdict;
        this.stream = new RawStream(address, this);
    }

    ConfirmationLedger ledger() {
        return ledger;
    }

    /** The longest lease there is, so that the session is still there when the leader wakes. */
    void open(Duration patience) throws InterruptedException {
        byte[] secret = ByteBuffer.allocate(Limits.SECRET_BYTES)
                .putLong(System.nanoTime())
                .putLong(System.identityHashCode(this))
                .array();
        stream.send(new ClientFrame.Open(0, secret, Limits.MAX_SESSION_LEASE_MILLIS, name, false));
        try {
            opened.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IllegalStateException("the leader did not open a session", failed);
        }
    }

    void keepAlive() {
        stream.send(new ClientFrame.KeepAlive(ledger.keepAlive()));
    }

    /** One of each kind, each on a path of its own but the last, which is on the held lock. */
    void change() {
        NodePath value = new NodePath(directory + "value-" + System.nanoTime());
        request(value, new Operation.Put(value, VALUE, Operation.MUST_NOT_EXIST));
        NodePath lock = new NodePath(directory + "lock-" + System.nanoTime());
        request(lock, new Operation.Acquire(lock, LockMode.EXCLUSIVE, false, 0, VALUE));
        request(heldLock, new Operation.Acquire(heldLock, LockMode.EXCLUSIVE, true, 0, VALUE));
        NodePath oneShot = new NodePath(directory + "oneshot-" + System.nanoTime());
        stream.send(new ClientFrame.OneShot(
                ledger.change(oneShot), new Operation.Put(oneShot, VALUE, Operation.MUST_NOT_EXIST)));
    }

    private void request(NodePath path, Operation operation) {
        stream.send(new ClientFrame.Request(ledger.change(path), 0, operation));
    }

    @Override
    public void frame(ServerFrame frame) {
        if (frame instanceof ServerFrame.Opened answer) {
            opened.complete(answer.session().value());
        } else if (frame instanceof ServerFrame.KeepAliveAck ack) {
            ledger.acknowledged(ack.sendNumber(), ack.renewed())
                    .ifPresent(wrong -> verdict.finding("R2.6", "%s", wrong));
        } else if (frame instanceof ServerFrame.Reply reply) {
            ledger.answered(reply.requestId(), reply.outcome()).ifPresent(wrong -> verdict.finding("N1", "%s", wrong));
        }
    }

    @Override
    public void closed(String reason) {
        opened.completeExceptionally(new IllegalStateException(reason));
    }

    /** All that was confirmed to it. */
    List<ConfirmationLedger.Confirmed> confirmed() {
        return ledger.confirmed();
    }

    @Override
    public void close() {
        stream.close();
    }
}
