package io.holdfast.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.client.fake.FakeCell;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Three clients, one cell, a bad network. Checked after every step: no two clients believe that they hold one exclusive lock; who
 * believes to be safe has a live session; states come in order. At the end, after healing: every call ended exactly once, no put
 * was applied twice, no place is left.
 */
final class FaultyWorld {
    private static final int CLIENTS = 3;
    private static final long MILLI = 1_000_000L;
    private static final List<NodePath> LOCKS = List.of(new NodePath("/l/a"), new NodePath("/l/b"));

    /** How often each thing happened, over many seeds. */
    static final class Counts {
        int grants;
        int lost;
        int jeopardies;
        int recoveries;
        int expiries;
        int repeats;
        int cancels;
    }

    private final Random random;
    private final Counts counts;
    private final FakeCell cell = new FakeCell();
    private final List<Client> clients = new ArrayList<>();
    private final StringBuilder trace = new StringBuilder();
    private long now = 1_000 * MILLI;
    private long nextPath;
    private boolean healed;

    /** A frame, or null for the end of the stream. */
    private record InFlight(long at, ClientFrame toCell, ServerFrame toClient, boolean end) {}

    /** One stream: two ordered queues. */
    private final class Pipe {
        final Client client;
        final long streamNo;
        final ArrayDeque<InFlight> up = new ArrayDeque<>();
        final ArrayDeque<InFlight> down = new ArrayDeque<>();
        long upAt;
        long downAt;
        long cellStream;
        boolean silent;
        boolean cut;

        Pipe(Client client, long streamNo) {
            this.client = client;
            this.streamNo = streamNo;
            cellStream = cell.connect(frame -> down.add(new InFlight(downAt = delayed(downAt), null, frame, false)));
        }

        void send(ClientFrame frame) {
            up.add(new InFlight(upAt = delayed(upAt), frame, null, false));
        }

        private long delayed(long last) {
            return Math.max(last, now + (healed ? 1 : random.nextInt(40)) * MILLI);
        }

        void cut(boolean deliverWhatIsUnderWay) {
            cut = true;
            if (!deliverWhatIsUnderWay) {
                up.clear();
            }
            down.clear();
            down.add(new InFlight(delayed(downAt), null, null, true));
        }
    }

    private final class Client {
        final int number;
        final double rate;
        SessionMachine machine;
        Pipe pipe;
        long pausedUntil;
        long nextCall = 1;
        final Map<Long, NodePath> openCalls = new LinkedHashMap<>();
        final TreeMap<Long, Integer> sentIds = new TreeMap<>();
        final List<Hold> holds = new ArrayList<>();
        /** Every hold that may still count, also those being released. */
        final List<Hold> believed = new ArrayList<>();

        final List<SessionState> states = new ArrayList<>();

        Client(int number) {
            this.number = number;
            this.rate = 0.991 + random.nextInt(181) / 10_000.0; // R1.1: within ρ of the cell's
            renew();
        }

        void renew() {
            long secretSeed = random.nextLong();
            Random mine = new Random(secretSeed);
            machine = new SessionMachine(
                    new SessionConfig(List.of("a:1", "b:1"), 4_000, 8_000, "c" + number),
                    bound -> Math.floorMod(mine.nextLong(), bound));
            states.clear();
            sentIds.clear();
        }

        long clock() {
            return (long) (now * rate);
        }

        long toWorld(long clock) {
            return clock == Long.MAX_VALUE ? clock : (long) (clock / rate) + 1;
        }

        void on(SessionEvent event) {
            for (SessionAction action : machine.on(event, clock())) {
                carryOut(action);
            }
        }

        private void carryOut(SessionAction action) {
            trace.append(now)
                    .append(' ')
                    .append(number)
                    .append(' ')
                    .append(summary(action))
                    .append('\n');
            if (action instanceof SessionAction.OpenStream open) {
                pipe = new Pipe(this, open.streamNo());
            } else if (action instanceof SessionAction.CloseStream) {
                cell.disconnect(pipe.cellStream);
                pipe = null;
            } else if (action instanceof SessionAction.Send send) {
                count(send.frame());
                if (pipe != null && !pipe.cut) {
                    pipe.send(send.frame());
                }
            } else if (action instanceof SessionAction.Granted granted) {
                counts.grants++;
                assertThat(granted.hold().isHeldAt(clock()))
                        .as("a grant is held when handed over")
                        .isTrue();
                holds.add(granted.hold());
                believed.add(granted.hold());
                ended(granted.callId());
            } else if (action instanceof SessionAction.Complete complete) {
                ended(complete.callId());
            } else if (action instanceof SessionAction.Fail fail) {
                counts.lost += fail.failure().kind() == Failure.Kind.LOST ? 1 : 0;
                ended(fail.callId());
            } else if (action instanceof SessionAction.StateChanged changed) {
                stateChanged(changed.state());
            }
        }

        private void count(ClientFrame frame) {
            if (frame instanceof ClientFrame.Request request) {
                counts.repeats += sentIds.merge(request.requestId(), 1, Integer::sum) > 1 ? 1 : 0;
                counts.cancels += request.operation() instanceof Operation.Cancel ? 1 : 0;
            }
        }

        private void ended(long callId) {
            assertThat(openCalls.containsKey(callId))
                    .as("call " + callId + " ends once")
                    .isTrue();
            openCalls.remove(callId);
        }

        private void stateChanged(SessionState next) {
            SessionState last = states.isEmpty() ? SessionState.CONNECTING : states.get(states.size() - 1);
            boolean inOrder = switch (next) {
                case CONNECTING -> false;
                case SAFE -> last == SessionState.CONNECTING || last == SessionState.JEOPARDY;
                case JEOPARDY -> last == SessionState.SAFE;
                case EXPIRED -> last == SessionState.SAFE || last == SessionState.JEOPARDY;
                case CLOSED -> last != SessionState.CLOSED;
            };
            assertThat(inOrder).as(last + " to " + next).isTrue();
            counts.jeopardies += next == SessionState.JEOPARDY ? 1 : 0;
            counts.recoveries += next == SessionState.SAFE && last == SessionState.JEOPARDY ? 1 : 0;
            counts.expiries += next == SessionState.EXPIRED ? 1 : 0;
            states.add(next);
        }

        long call(NodePath what) {
            openCalls.put(nextCall, what);
            return nextCall++;
        }

        boolean runs() {
            return now >= pausedUntil;
        }
    }

    FaultyWorld(long seed, Counts counts) {
        this.random = new Random(seed);
        this.counts = counts;
        cell.at(now);
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Client(i));
        }
    }

    String trace() {
        return trace.toString();
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
        }
        heal();
    }

    private void step() {
        int dice = random.nextInt(100);
        Client client = clients.get(random.nextInt(CLIENTS));
        if (dice < 55) {
            advance(nextEvent());
        } else if (dice < 60) {
            advance(now + random.nextInt(500) * MILLI);
        } else if (dice < 62) {
            fault(client);
        } else if (client.runs()) {
            act(client, dice);
        }
        check();
    }

    private void act(Client client, int dice) {
        if (client.machine.state() == SessionState.EXPIRED && dice < 90) {
            client.holds.clear();
            client.pipe = null;
            client.renew();
        } else if (dice < 72) {
            acquire(client);
        } else if (dice < 86 && !client.holds.isEmpty()) {
            Hold hold = client.holds.remove(random.nextInt(client.holds.size()));
            client.on(new SessionEvent.Release(client.call(hold.lock()), hold));
        } else if (dice < 92) {
            NodePath path = new NodePath("/v/" + nextPath++);
            Operation put = new Operation.Put(path, new byte[0], Operation.ANY_VERSION);
            client.on(new SessionEvent.Submit(client.call(path), put, (1 + random.nextInt(3_000)) * MILLI));
        } else if (!client.openCalls.isEmpty()) {
            List<Long> open = new ArrayList<>(client.openCalls.keySet());
            client.on(new SessionEvent.Cancel(open.get(random.nextInt(open.size()))));
        }
    }

    private void acquire(Client client) {
        NodePath lock = LOCKS.get(random.nextInt(LOCKS.size()));
        AcquireSpec spec = new AcquireSpec(lock, LockMode.EXCLUSIVE, 0, new byte[0]);
        long wait = switch (random.nextInt(3)) {
            case 0 -> 0;
            case 1 -> random.nextInt(2_000) * MILLI;
            default -> Long.MAX_VALUE;
        };
        client.on(new SessionEvent.Acquire(client.call(lock), spec, wait, (1 + random.nextInt(5_000)) * MILLI));
    }

    private void fault(Client client) {
        trace.append(now).append(" fault\n");
        switch (random.nextInt(6)) {
            case 0 -> client.pausedUntil = now + random.nextInt(9_000) * MILLI;
            case 1 -> cell.failOver();
            case 2 -> {
                if (client.runs()) {
                    client.on(new SessionEvent.ClockJump());
                }
            }
            default -> {
                if (client.pipe != null && !client.pipe.cut) {
                    if (random.nextInt(3) == 0) {
                        client.pipe.silent = true;
                    } else {
                        client.pipe.cut(random.nextBoolean());
                    }
                }
            }
        }
    }

    private long nextEvent() {
        long next = cell.nextDeadline();
        for (Client client : clients) {
            if (client.pipe != null) {
                next = Math.min(
                        next,
                        client.pipe.up.isEmpty() ? next : client.pipe.up.peek().at());
                boolean hears = !client.pipe.silent && !client.pipe.down.isEmpty();
                next = Math.min(
                        next,
                        hears
                                ? Math.max(
                                        client.pausedUntil,
                                        client.pipe.down.peek().at())
                                : next);
            }
            long tick = client.toWorld(client.machine.nextDeadlineNanos());
            next = Math.min(next, tick == Long.MAX_VALUE ? next : Math.max(client.pausedUntil, tick));
        }
        return next == Long.MAX_VALUE ? now + 100 * MILLI : Math.max(now, next);
    }

    private void advance(long to) {
        now = Math.max(now, to);
        cell.at(now);
        for (Client client : clients) {
            Pipe pipe = client.pipe;
            while (pipe != null && !pipe.up.isEmpty() && pipe.up.peek().at() <= now) {
                cell.frame(pipe.cellStream, pipe.up.poll().toCell());
            }
            deliver(client);
            if (client.runs() && client.clock() >= client.machine.nextDeadlineNanos()) {
                client.on(new SessionEvent.Tick());
            }
        }
    }

    private void deliver(Client client) {
        Pipe pipe = client.pipe;
        while (pipe != null
                && client.runs()
                && !pipe.silent
                && !pipe.down.isEmpty()
                && pipe.down.peek().at() <= now
                && client.pipe == pipe) {
            InFlight mail = pipe.down.poll();
            if (mail.end()) {
                cell.disconnect(pipe.cellStream);
                client.pipe = null;
                client.on(new SessionEvent.StreamClosed(pipe.streamNo, "cut"));
            } else {
                client.on(new SessionEvent.StreamFrame(pipe.streamNo, mail.toClient()));
            }
        }
    }

    private void check() {
        for (Client client : clients) {
            SessionId session = client.machine.session();
            if (client.machine.trust().safeAt(client.clock())) {
                assertThat(cell.isAlive(session))
                        .as("client " + client.number + " believes, its session lives")
                        .isTrue();
            }
        }
        for (NodePath lock : LOCKS) {
            List<Integer> believers = new ArrayList<>();
            for (Client client : clients) {
                client.believed.removeIf(Hold::isOver);
                for (Hold hold : client.believed) {
                    if (!hold.lock().equals(lock) || !hold.isHeldAt(client.clock())) {
                        continue;
                    }
                    believers.add(client.number);
                    assertThat(client.machine.heldAt(lock, client.clock())).isSameAs(hold);
                    assertThat(cell.holders(lock))
                            .as("who believes to hold " + lock)
                            .contains(client.machine.session());
                }
            }
            assertThat(believers).as("believers in " + lock).hasSizeLessThanOrEqualTo(1);
        }
    }

    /** No more faults: everything must come to its end. */
    private void heal() {
        healed = true;
        long end = now + 60_000 * MILLI;
        for (Client client : clients) {
            client.pausedUntil = now;
            if (client.pipe != null && client.pipe.silent) {
                client.pipe.silent = false;
            }
        }
        while (now < end) {
            advance(nextEvent());
            check();
            for (Client client : clients) {
                client.holds.removeIf(hold -> {
                    client.on(new SessionEvent.Release(client.call(hold.lock()), hold));
                    return true;
                });
            }
        }
        for (Client client : clients) {
            assertThat(client.openCalls)
                    .as("open calls of client " + client.number)
                    .isEmpty();
            assertThat(client.machine.openCalls())
                    .as("open in machine " + client.number)
                    .isZero();
        }
        assertThat(cell.placeCount()).as("places left").isZero();
        for (NodePath path : cell.values().keySet()) {
            assertThat(cell.applicationsOf(path)).as("applications of " + path).isEqualTo(1);
        }
    }

    private static String summary(SessionAction action) {
        if (action instanceof SessionAction.Send send) {
            ClientFrame frame = send.frame();
            return frame instanceof ClientFrame.Request request
                    ? "request " + request.requestId() + " " + request.watermark() + " " + Words.of(request.operation())
                    : frame.getClass().getSimpleName();
        }
        return action instanceof SessionAction.Fail fail
                ? "fail " + fail.callId() + " " + fail.failure().kind()
                : action instanceof SessionAction.Granted granted ? "granted " + granted.hold() : action.toString();
    }
}
