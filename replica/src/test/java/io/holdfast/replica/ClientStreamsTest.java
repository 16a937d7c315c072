package io.holdfast.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.protocol.frame.DownstreamFrame;
import org.junit.jupiter.api.Test;

/** How many streams there may be (R8.4). */
final class ClientStreamsTest {
    private final ClientStreams streams = new ClientStreams(
            new UpstreamSink() {
                @Override
                public void send(long link, DownstreamFrame frame) {}

                @Override
                public void close(long link) {}
            },
            3);

    @Test
    void oneFrontEndCannotTakeTheRoomOfTheOthers() {
        for (int stream = 1; stream <= 3; stream++) {
            assertThat(streams.stream(1, stream)).isNotNull();
        }
        assertThat(streams.stream(1, 4)).isNull();
        assertThat(streams.stream(1, 3)).isNotNull();
        assertThat(streams.stream(2, 4)).isNotNull();
        streams.streamClosed(1, 2);
        assertThat(streams.stream(1, 4)).isNotNull();
    }
}
