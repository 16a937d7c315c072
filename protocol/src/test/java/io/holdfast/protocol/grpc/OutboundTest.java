package io.holdfast.protocol.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OutboundTest {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final FakeWire wire = new FakeWire();
    private final Outbound<String> outbound = new Outbound<>(tasks::add, new Outbound.Bounds(100, 3, 50), wire);

    @Test
    void framesAreWrittenInOrderAndInBatches() {
        for (String frame : List.of("a", "b", "c", "d")) {
            assertThat(outbound.offer(frame, 10)).isTrue();
        }
        assertThat(tasks).hasSize(1);
        run();

        assertThat(wire.written).containsExactly("a,b,c", "d");
    }

    @Test
    void aBatchEndsWithTheFrameThatReachesItsSize() {
        outbound.offer("a", 60);
        outbound.offer("b", 10);
        run();

        assertThat(wire.written).containsExactly("a", "b");
    }

    @Test
    void whatWouldExceedTheBoundIsRefusedAndRoomComesBackWithWriting() {
        wire.ready = false;
        assertThat(outbound.offer("a", 60)).isTrue();
        assertThat(outbound.offer("b", 41)).isFalse();
        assertThat(outbound.offer("c", 40)).isTrue();
        run();
        assertThat(wire.written).isEmpty();

        wire.ready = true;
        outbound.flowing();
        run();

        assertThat(wire.written).containsExactly("a", "c");
        assertThat(outbound.offer("d", 100)).isTrue();
    }

    @Test
    void offersToABlockedStreamWakeNobody() {
        wire.ready = false;
        outbound.offer("a", 1);
        run();
        outbound.offer("b", 1);

        assertThat(tasks).isEmpty();
    }

    /** The stream becomes ready between the first look and the mark: it will not say so again. */
    @Test
    void readinessThatComesInBetweenIsNotLost() {
        wire.ready = false;
        wire.readyAfterLooks = 1;
        outbound.offer("a", 1);
        run();

        assertThat(wire.written).containsExactly("a");
    }

    @Test
    void closingEndsTheStreamAfterWhatWasAccepted() {
        outbound.offer("a", 1);
        outbound.close();
        assertThat(outbound.offer("b", 1)).isFalse();
        run();

        assertThat(wire.written).containsExactly("a", "complete");
        outbound.close();
        run();
        assertThat(wire.written).hasSize(2);
    }

    @Test
    void nothingIsWrittenAfterCancel() {
        outbound.offer("a", 1);
        outbound.cancel();
        run();

        assertThat(wire.written).isEmpty();
        assertThat(outbound.offer("b", 1)).isFalse();
    }

    @Test
    void aFailedWriteEndsTheStreamOnce() {
        wire.failure = new IllegalStateException("call was cancelled");
        outbound.offer("a", 1);
        outbound.offer("b", 1);
        run();

        assertThat(wire.written).containsExactly("failed");
        assertThat(outbound.offer("c", 1)).isFalse();
    }

    private void run() {
        while (!tasks.isEmpty()) {
            tasks.poll().run();
        }
    }

    private static final class FakeWire implements Outbound.Wire<String> {
        private final List<String> written = new ArrayList<>();
        private boolean ready = true;
        private int readyAfterLooks = -1;
        private RuntimeException failure;

        @Override
        public boolean isReady() {
            boolean answer = ready;
            if (readyAfterLooks > 0 && --readyAfterLooks == 0) {
                ready = true;
            }
            return answer;
        }

        @Override
        public void write(List<String> frames) {
            if (failure != null) {
                throw failure;
            }
            written.add(String.join(",", frames));
        }

        @Override
        public void complete() {
            written.add("complete");
        }

        @Override
        public void failed(RuntimeException cause) {
            written.add("failed");
        }
    }
}
