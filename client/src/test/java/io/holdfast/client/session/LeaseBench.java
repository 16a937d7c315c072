package io.holdfast.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.LeaseOwner;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.ArrayList;
import java.util.List;

/** A machine of leased locks on a test's bench: the test plays the cell and moves the clock by hand. */
final class LeaseBench {
    static final long MILLI = 1_000_000L;
    static final LeaseName NAME = new LeaseName("account/42");
    static final LeaseOwner OWNER = new LeaseOwner("worker-7");
    static final FencingToken TOKEN = new FencingToken(41);

    final LeaseMachine machine =
            new LeaseMachine(new SessionConfig(List.of("a:1", "b:2"), 12_000, 45_000, "test"), bound -> 0);
    final List<SessionAction> actions = new ArrayList<>();
    private final List<ClientFrame.Lease> sent = new ArrayList<>();
    long nowMillis = 1_000;
    long stream;
    private long calls;
    private boolean frozen;

    long now() {
        return nowMillis * MILLI;
    }

    LeaseBench on(LeaseEvent event) {
        for (SessionAction action : machine.on(event, now())) {
            actions.add(action);
            if (action instanceof SessionAction.OpenStream open) {
                stream = open.streamNo();
            } else if (action instanceof SessionAction.Send send && send.frame() instanceof ClientFrame.Lease lease) {
                sent.add(lease);
            } else if (action instanceof SessionAction.Send && !frozen) {
                frame(new ServerFrame.Pong());
            }
        }
        return this;
    }

    LeaseBench frame(ServerFrame frame) {
        return on(new LeaseEvent.StreamFrame(stream, frame));
    }

    LeaseBench hello() {
        return frame(new ServerFrame.Hello("main", "d1", "r1"));
    }

    LeaseBench cut() {
        return on(new LeaseEvent.StreamClosed(stream, "cut"));
    }

    /** Nobody answers anything, not even a Ping. */
    LeaseBench frozen() {
        frozen = true;
        return this;
    }

    /** Lets the time pass, with a tick wherever the machine wants one. */
    LeaseBench pass(long millis) {
        long end = nowMillis + millis;
        for (int turns = 0; ; turns++) {
            assertThat(turns).as("the machine asks for ticks without end").isLessThan(10_000);
            long next = machine.nextDeadlineNanos();
            long nextMillis = next == Long.MAX_VALUE ? Long.MAX_VALUE : (next + MILLI - 1) / MILLI;
            if (nextMillis > end) {
                break;
            }
            nowMillis = Math.max(nowMillis, nextMillis);
            on(new LeaseEvent.Tick());
        }
        nowMillis = end;
        return on(new LeaseEvent.Tick());
    }

    /** Time passes for everybody else: the process is stopped. */
    LeaseBench stopped(long millis) {
        nowMillis += millis;
        return this;
    }

    static LeaseCall.Acquire acquiring() {
        return new LeaseCall.Acquire(NAME, OWNER, 10_000, "r1");
    }

    long acquire(long waitMillis) {
        long wait = waitMillis == Long.MAX_VALUE ? waitMillis : waitMillis * MILLI;
        on(new LeaseEvent.Acquire(++calls, acquiring(), wait, 10_000 * MILLI));
        return calls;
    }

    long ask(LeaseCall call, boolean giveBack) {
        on(new LeaseEvent.Ask(++calls, call, 10_000 * MILLI, giveBack));
        return calls;
    }

    long release(LeasedHold hold) {
        on(new LeaseEvent.Release(++calls, hold));
        return calls;
    }

    /** What was sent last. */
    ClientFrame.Lease last() {
        assertThat(sent).isNotEmpty();
        return sent.get(sent.size() - 1);
    }

    List<LeaseCall> sent() {
        return sent.stream().map(ClientFrame.Lease::call).toList();
    }

    <T extends LeaseCall> List<T> sent(Class<T> type) {
        return sent().stream().filter(type::isInstance).map(type::cast).toList();
    }

    LeaseBench answer(LeaseOutcome outcome) {
        return answer(last(), outcome);
    }

    LeaseBench answer(ClientFrame.Lease to, LeaseOutcome outcome) {
        return frame(new ServerFrame.Reply(to.callId(), new Outcome.OfLease(outcome)));
    }

    LeaseBench grant() {
        return answer(new LeaseOutcome.Granted(TOKEN, 10_000));
    }

    LeaseBench confirm() {
        return answer(new LeaseOutcome.Renewed(10_000));
    }

    /** A hold, asked for and granted just now. */
    LeasedHold held() {
        acquire(0);
        hello();
        grant();
        return hold();
    }

    LeasedHold hold() {
        return of(SessionAction.LeaseGranted.class).get(0).hold();
    }

    boolean isHeld(LeasedHold hold) {
        return hold.isHeldAt(now());
    }

    <T extends SessionAction> List<T> of(Class<T> type) {
        return actions.stream().filter(type::isInstance).map(type::cast).toList();
    }

    Failure failure() {
        assertThat(of(SessionAction.Fail.class)).hasSize(1);
        return of(SessionAction.Fail.class).get(0).failure();
    }

    LeaseBench clear() {
        actions.clear();
        sent.clear();
        return this;
    }
}
