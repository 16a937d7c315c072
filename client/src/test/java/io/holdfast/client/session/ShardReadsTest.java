package io.holdfast.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import org.junit.jupiter.api.Test;

/** Questions to shards: what becomes of one says nothing of the others (ADR 0015). */
final class ShardReadsTest {
    private static final long TIMEOUT_NANOS = 2_000_000_000L;

    private final Bench bench = new Bench();

    private long ask(Query query) {
        long call = bench.nextCall();
        bench.on(new SessionEvent.Read(call, query, TIMEOUT_NANOS));
        return call;
    }

    private void refuse(ErrorCode code) {
        ClientFrame.Read read = bench.last(ClientFrame.Read.class);
        bench.clear().frame(new ServerFrame.Refused(read.callId(), code, true, "too much waits"));
    }

    @Test
    void aBusyOneIsAskedAgainAndNoOtherWaitsForIt() {
        bench.safe();
        long call = ask(new Query.ShardStatus(3));
        refuse(ErrorCode.BUSY);
        assertThat(bench.failed(call)).isFalse();
        ask(new Query.GetValue(new NodePath("/a")));
        assertThat(bench.sent(ClientFrame.Read.class)).hasSize(1);
        bench.clear().pass(100);
        assertThat(bench.last(ClientFrame.Read.class).query()).isEqualTo(new Query.ShardStatus(3));
        refuse(ErrorCode.BUSY);
        bench.pass(2_000);
        assertThat(bench.failure(call).kind()).isEqualTo(Failure.Kind.UNREACHABLE);
        assertThat(bench.machine.openCalls()).isLessThanOrEqualTo(1);
    }

    @Test
    void oneWithoutALeaderFailsAtOnce() {
        bench.safe();
        long call = ask(new Query.ShardStatus(3));
        refuse(ErrorCode.UNAVAILABLE);
        assertThat(bench.failed(call)).isTrue();
    }
}
