package io.holdfast.replica.grpc;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.holdfast.protocol.codec.MalformedFrameException;
import io.holdfast.protocol.proto.PeerMessage;
import io.holdfast.replica.LoopInput;
import io.holdfast.replica.PeerFrame;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams from peers. What arrives is answered by an empty message now and then, so that the sender knows that its link
 * works ({@link LinkWatch}); nothing else goes that way.
 *
 * <p><b>Thread:</b> network threads; each stream one at a time.
 */
final class PeerInbound {
    private static final Logger log = LoggerFactory.getLogger(PeerInbound.class);

    private static final long ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(LinkWatch.ANSWER_MILLIS);

    private final Consumer<LoopInput> mailbox;
    /** The newest stream of each peer: only its end says something about the peer. */
    private final Map<String, Object> newest = new ConcurrentHashMap<>();

    PeerInbound(Consumer<LoopInput> mailbox) {
        this.mailbox = mailbox;
    }

    StreamObserver<PeerMessage> accept(StreamObserver<PeerMessage> answers) {
        if (answers instanceof ServerCallStreamObserver<PeerMessage> call) {
            call.setOnCancelHandler(() -> {});
        }
        return new FromPeer(answers);
    }

    private final class FromPeer implements StreamObserver<PeerMessage> {
        private final StreamObserver<PeerMessage> answers;
        /** Name of the sender; known from its first frame. */
        private @Nullable String peer;

        private boolean ended;
        private boolean answered;
        private long answeredNanos;

        FromPeer(StreamObserver<PeerMessage> answers) {
            this.answers = answers;
        }

        @Override
        public void onNext(PeerMessage message) {
            if (ended) {
                return;
            }
            try {
                PeerFrame frame = PeerCodec.decode(message);
                if (peer == null) {
                    peer = frame.from().name();
                    newest.put(peer, this);
                }
                mailbox.accept(new LoopInput.FromPeer(frame));
                answer(System.nanoTime());
            } catch (MalformedFrameException e) {
                log.warn("refused a frame from peer {}: {}", peer, e.problem());
                end();
                answers.onError(
                        Status.INVALID_ARGUMENT.withDescription(e.problem()).asRuntimeException());
            }
        }

        /** Left out while the sender does not read: it would pile up. */
        private void answer(long nowNanos) {
            boolean soon = answered && nowNanos - answeredNanos < ANSWER_NANOS;
            if (!soon && answers instanceof ServerCallStreamObserver<PeerMessage> call && call.isReady()) {
                answered = true;
                answeredNanos = nowNanos;
                call.onNext(PeerMessage.getDefaultInstance());
            }
        }

        @Override
        public void onError(Throwable cause) {
            end();
        }

        @Override
        public void onCompleted() {
            end();
            answers.onCompleted();
        }

        private void end() {
            if (ended) {
                return;
            }
            ended = true;
            if (peer != null && newest.remove(peer, this)) {
                mailbox.accept(new LoopInput.PeerClosed(peer));
            }
        }
    }
}
