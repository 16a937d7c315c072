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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams from peers.
 *
 * <p><b>Thread:</b> network threads; each stream one at a time.
 */
final class PeerInbound {
    private static final Logger log = LoggerFactory.getLogger(PeerInbound.class);

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
            } catch (MalformedFrameException e) {
                log.warn("refused a frame from peer {}: {}", peer, e.problem());
                end();
                answers.onError(
                        Status.INVALID_ARGUMENT.withDescription(e.problem()).asRuntimeException());
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
