package io.holdfast.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A state machine with a log position and request ids of its own, for tests that read like a story. */
final class TestCell {
    static final long TERM = 7;
    static final byte[] NOTHING = {};

    private final Map<SessionId, Long> lastRequest = new LinkedHashMap<>();
    private CellStateMachine machine;
    private List<CellEvent> events = List.of();
    private long secrets;

    TestCell() {
        this(CellLimits.defaults());
    }

    TestCell(CellLimits limits) {
        this(new CellStateMachine(limits));
    }

    TestCell(CellStateMachine machine) {
        this.machine = machine;
    }

    CellStateMachine machine() {
        return machine;
    }

    /** Events of the last entry. */
    List<CellEvent> events() {
        return events;
    }

    <E extends CellEvent> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    List<Outcome> applyAll(Command... commands) {
        return applyIn(TERM, commands);
    }

    List<Outcome> applyIn(long term, Command... commands) {
        byte[] entry = CommandCodec.encode(
                new CommandBatch(term, 1_000, "", machine.limits().stateBytes(), List.of(commands)));
        AppliedEntry applied = machine.apply(machine.appliedIndex() + 1, term, entry);
        events = applied.events();
        return applied.outcomes();
    }

    Outcome apply(Command command) {
        return applyAll(command).get(0);
    }

    static byte[] secret(long number) {
        return ByteBuffer.allocate(16).putLong(number).putLong(~number).array();
    }

    SessionId open() {
        return open("client");
    }

    SessionId open(String name) {
        Outcome outcome = apply(new Command.OpenSession(secret(++secrets), 12_000, name, false));
        return ((Outcome.SessionOpened) outcome).session();
    }

    Command.Request request(SessionId session, Operation operation) {
        long id = lastRequest.merge(session, 1L, Long::sum);
        return new Command.Request(session, id, id - 1, operation);
    }

    Outcome perform(SessionId session, Operation operation) {
        return apply(request(session, operation));
    }

    Outcome.Placed acquire(SessionId session, String lock, LockMode mode) {
        return acquire(session, lock, mode, 0);
    }

    Outcome.Placed acquire(SessionId session, String lock, LockMode mode, long delayMillis) {
        Operation operation = new Operation.Acquire(new NodePath(lock), mode, false, delayMillis, NOTHING);
        return (Outcome.Placed) perform(session, operation);
    }

    Outcome.Placed exclusive(SessionId session, String lock) {
        return acquire(session, lock, LockMode.EXCLUSIVE);
    }

    Outcome.Placed shared(SessionId session, String lock) {
        return acquire(session, lock, LockMode.SHARED);
    }

    Outcome tryAcquire(SessionId session, String lock, LockMode mode) {
        return perform(session, new Operation.Acquire(new NodePath(lock), mode, true, 0, NOTHING));
    }

    Outcome release(SessionId session, Outcome.Placed placed) {
        return perform(session, new Operation.Release(placed.place(), placed.token()));
    }

    Outcome put(String path, String value) {
        return put(path, value, Operation.ANY_VERSION);
    }

    Outcome put(String path, String value, long expectedVersion) {
        return apply(new Command.OneShot(new Operation.Put(new NodePath(path), bytes(value), expectedVersion)));
    }

    Outcome delete(String path) {
        return apply(new Command.OneShot(new Operation.Delete(new NodePath(path), Operation.ANY_VERSION)));
    }

    Outcome ephemeral(SessionId session, String path) {
        return perform(session, new Operation.CreateEphemeral(new NodePath(path), NOTHING, false));
    }

    Outcome expire(SessionId session) {
        return apply(new Command.ExpireSession(session, TERM));
    }

    Outcome close(SessionId session) {
        return perform(session, new Operation.CloseSession());
    }

    boolean isHeld(Outcome.Placed placed) {
        return ((Answer.Place) machine.query(new Query.PlaceState(placed.place(), placed.token()))).held();
    }

    boolean exists(String path) {
        return machine.query(new Query.Stat(new NodePath(path))) instanceof Answer.NodeStat;
    }

    Answer.NodeStat stat(String path) {
        return (Answer.NodeStat) machine.query(new Query.Stat(new NodePath(path)));
    }

    Answer.Value value(String path) {
        return (Answer.Value) machine.query(new Query.GetValue(new NodePath(path)));
    }

    /** All places at and below a path, read in pages of two. */
    List<Answer.PlaceInfo> places(String prefix) {
        List<Answer.PlaceInfo> all = new ArrayList<>();
        NodePath after = NodePath.ROOT;
        boolean more = true;
        while (more) {
            Answer.Places page = (Answer.Places) machine.query(new Query.ListPlaces(new NodePath(prefix), after, 2));
            all.addAll(page.places());
            after = all.isEmpty() ? after : all.get(all.size() - 1).place();
            more = page.more();
        }
        return all;
    }

    /** Goes on from a snapshot of itself. */
    void restart() {
        machine = copyOf(machine);
    }

    static CellStateMachine copyOf(CellStateMachine machine) {
        return restored(snapshotOf(machine.freeze()));
    }

    static byte[] snapshotOf(FrozenCell frozen) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            frozen.writeTo(out);
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static CellStateMachine restored(byte[] snapshot) {
        try {
            return CellStateMachine.restore(CellLimits.defaults(), new ByteArrayInputStream(snapshot));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What must hold after every entry. */
    void check() {
        checkSums(machine);
    }

    static void checkSums(CellStateMachine machine) {
        assertThat(machine.recomputeDigest()).isEqualTo(machine.digest());
        assertThat(machine.recomputeStateBytes()).isEqualTo(machine.stateBytes());
        machine.checkInvariants();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static void assertFailed(Outcome outcome, ErrorCode code, String... parts) {
        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        assertThat(((Outcome.Failed) outcome).code()).as(outcome.toString()).isEqualTo(code);
        for (String part : parts) {
            assertThat(((Outcome.Failed) outcome).message()).contains(part);
        }
    }

    static FencingToken token(long value) {
        return new FencingToken(value);
    }
}
