package io.holdfast.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.ArrayList;
import java.util.List;

/** A machine on a test's bench: the test plays the cell, frame by frame, and moves the clock by hand. */
final class Bench {
    static final long LEASE = 12_000;
    static final long GRACE = 45_000;
    static final long TIMEOUT = 10_000;
    static final SessionId SESSION = new SessionId(7);
    static final NodePath LOCK = new NodePath("/locks/a");

    final SessionMachine machine;
    /** Everything since the last {@link #clear}. */
    final List<SessionAction> actions = new ArrayList<>();

    long nowMillis = 1_000;
    long stream;
    int endpoint;
    /** The other end does not even answer a Ping. */
    private boolean frozen;

    private long calls;

    Bench() {
        this(List.of("a:1", "b:2"));
    }

    Bench(List<String> endpoints) {
        this(endpoints, 0);
    }

    /** A machine with a cache of so many bytes. */
    static Bench caching(long bytes) {
        return new Bench(List.of("a:1", "b:2"), bytes);
    }

    private Bench(List<String> endpoints, long cacheBytes) {
        machine = new SessionMachine(new SessionConfig(endpoints, LEASE, GRACE, "test", cacheBytes), bound -> 0);
    }

    long now() {
        return nowMillis * 1_000_000L;
    }

    Bench on(SessionEvent event) {
        for (SessionAction action : machine.on(event, now())) {
            actions.add(action);
            if (action instanceof SessionAction.OpenStream open) {
                stream = open.streamNo();
                endpoint = open.endpointIndex();
            }
            if (action instanceof SessionAction.Send send && send.frame() instanceof ClientFrame.Ping && !frozen) {
                frame(new ServerFrame.Pong());
            }
        }
        return this;
    }

    Bench frame(ServerFrame frame) {
        return on(new SessionEvent.StreamFrame(stream, frame));
    }

    /** Lets the time pass, with a tick wherever the machine wants one. */
    Bench pass(long millis) {
        long end = nowMillis + millis;
        int turns = 0;
        while (true) {
            long next = machine.nextDeadlineNanos();
            long nextMillis = next == Long.MAX_VALUE ? Long.MAX_VALUE : (next + 999_999) / 1_000_000;
            if (nextMillis > end) {
                break;
            }
            assertThat(turns++).as("the machine asks for ticks without end").isLessThan(10_000);
            nowMillis = Math.max(nowMillis, nextMillis);
            on(new SessionEvent.Tick());
        }
        nowMillis = end;
        return on(new SessionEvent.Tick());
    }

    /** Time passes for everybody else: the process is stopped. */
    Bench stopped(long millis) {
        nowMillis += millis;
        return this;
    }

    /** From here on no endpoint says that it is there. */
    Bench frozen() {
        frozen = true;
        return this;
    }

    Bench hello() {
        on(new SessionEvent.StreamOpened(stream));
        return frame(new ServerFrame.Hello("main", "d1", "r1"));
    }

    /** A SAFE session, opened just now. */
    Bench safe() {
        on(new SessionEvent.OpenSession());
        hello();
        return opened();
    }

    Bench opened() {
        frame(new ServerFrame.Opened(last(ClientFrame.Open.class).sendNumber(), SESSION, LEASE, 1));
        return this;
    }

    /** A new stream is there and attached; the KeepAlive that follows is not answered yet. */
    Bench attached() {
        hello();
        return frame(
                new ServerFrame.Attached(SESSION, last(ClientFrame.Attach.class).attachment(), 1));
    }

    Bench confirm() {
        return frame(
                new ServerFrame.KeepAliveAck(last(ClientFrame.KeepAlive.class).sendNumber(), true, 1));
    }

    Bench cut() {
        return on(new SessionEvent.StreamClosed(stream, "cut"));
    }

    long acquire(long waitMillis) {
        long call = ++calls;
        long wait = waitMillis == Long.MAX_VALUE ? waitMillis : waitMillis * 1_000_000L;
        AcquireSpec spec = new AcquireSpec(LOCK, LockMode.EXCLUSIVE, 0, new byte[0]);
        on(new SessionEvent.Acquire(call, spec, wait, TIMEOUT * 1_000_000L));
        return call;
    }

    long put(String path) {
        long call = ++calls;
        Operation put = new Operation.Put(new NodePath(path), new byte[] {1}, Operation.ANY_VERSION);
        on(new SessionEvent.Submit(call, put, TIMEOUT * 1_000_000L));
        return call;
    }

    long nextCall() {
        return ++calls;
    }

    Bench placed(long token, boolean held) {
        return reply(new Outcome.Placed(place(token), new FencingToken(token), held, true));
    }

    /** Answers the latest request. */
    Bench reply(Outcome outcome) {
        return frame(new ServerFrame.Reply(last(ClientFrame.Request.class).requestId(), outcome));
    }

    Bench grant(long token) {
        return frame(new ServerFrame.Granted(SESSION, place(token), new FencingToken(token)));
    }

    static NodePath place(long token) {
        return LOCK.child("x-%020d".formatted(token));
    }

    /** A hold with this token, granted just now. */
    Hold held(long token) {
        acquire(Long.MAX_VALUE);
        placed(token, true);
        return hold();
    }

    Hold hold() {
        return of(SessionAction.Granted.class)
                .get(of(SessionAction.Granted.class).size() - 1)
                .hold();
    }

    <T extends SessionAction> List<T> of(Class<T> type) {
        return actions.stream().filter(type::isInstance).map(type::cast).toList();
    }

    <F extends ClientFrame> List<F> sent(Class<F> type) {
        return of(SessionAction.Send.class).stream()
                .map(SessionAction.Send::frame)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    <F extends ClientFrame> F last(Class<F> type) {
        List<F> all = sent(type);
        assertThat(all).as("sent frames of type " + type.getSimpleName()).isNotEmpty();
        return all.get(all.size() - 1);
    }

    List<Operation> operations() {
        return sent(ClientFrame.Request.class).stream()
                .map(ClientFrame.Request::operation)
                .toList();
    }

    Failure failure(long callId) {
        List<Failure> failures = of(SessionAction.Fail.class).stream()
                .filter(fail -> fail.callId() == callId)
                .map(SessionAction.Fail::failure)
                .toList();
        assertThat(failures).as("failures of call " + callId).hasSize(1);
        return failures.get(0);
    }

    boolean failed(long callId) {
        return of(SessionAction.Fail.class).stream().anyMatch(fail -> fail.callId() == callId);
    }

    List<SessionState> states() {
        return of(SessionAction.StateChanged.class).stream()
                .map(SessionAction.StateChanged::state)
                .toList();
    }

    Bench clear() {
        actions.clear();
        return this;
    }
}
