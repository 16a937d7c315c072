package io.holdfast.cell;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Commands drawn so that they often hit something: few sessions, few paths, requests repeated, old places released. */
final class RandomCommands {
    private static final String[] PATHS = {
        "/",
        "/a",
        "/a/b",
        "/a/b/c",
        "/a b",
        "/a-",
        "/b",
        "/b/d",
        "/x-00000000000000000001",
        "/p-00000000000000000002",
        "/ä/€",
        "/b/x-"
    };
    private static final byte[] TOO_LARGE = new byte[65_537];

    private final Random random;
    private final List<Command.Request> sent = new ArrayList<>();
    private final List<ModelCell.Node> seenPlaces = new ArrayList<>();
    private final List<Long> seenSessions = new ArrayList<>();
    private List<Long> open = List.of();
    private long nextRequest = 1;

    RandomCommands(Random random) {
        this.random = random;
    }

    Command next(ModelCell model) {
        model.nodes.stream().filter(n -> n.path.matches(".*[xsp]-0.*")).forEach(seenPlaces::add);
        open = model.sessions.stream().map(s -> s.id).toList();
        seenSessions.addAll(open);
        while (seenPlaces.size() > 60) {
            seenPlaces.remove(random.nextInt(seenPlaces.size()));
        }
        while (seenSessions.size() > 30) {
            seenSessions.remove(random.nextInt(seenSessions.size()));
        }
        int kind = random.nextInt(100);
        if (kind < 8 || seenSessions.isEmpty()) {
            return openSession();
        } else if (kind < 11) {
            return new Command.ExpireSession(session(), random.nextInt(4) == 0 ? 3 : TestCell.TERM);
        } else if (kind < 16 && !seenPlaces.isEmpty()) {
            ModelCell.Node place = seenPlaces.get(random.nextInt(seenPlaces.size()));
            long token = random.nextInt(8) == 0 ? place.created - 1 : place.created;
            return new Command.EndDelay(
                    new NodePath(place.path),
                    new FencingToken(Math.max(0, token)),
                    random.nextInt(4) == 0 ? 3 : TestCell.TERM);
        } else if (kind < 20 && !seenPlaces.isEmpty()) {
            ModelCell.Node place = seenPlaces.get(random.nextInt(seenPlaces.size()));
            long token = random.nextInt(8) == 0 ? place.created - 1 : place.created;
            return new Command.BreakPlace(
                    new NodePath(place.path),
                    new FencingToken(Math.max(0, token)),
                    random.nextInt(4) == 0 ? 3 : TestCell.TERM);
        } else if (kind < 26) {
            return new Command.OneShot(operation());
        } else if (kind < 36 && !sent.isEmpty()) {
            return repeated();
        }
        return request();
    }

    private Command openSession() {
        long lease = random.nextInt(12) == 0 ? 3_999 : random.nextInt(12) == 0 ? 60_001 : 12_000;
        byte[] secret = random.nextInt(15) == 0 ? new byte[15] : TestCell.secret(random.nextInt(12));
        return new Command.OpenSession(secret, lease, "n", random.nextBoolean());
    }

    /** Mostly an open one. */
    private SessionId session() {
        if (!open.isEmpty() && random.nextInt(12) > 0) {
            return new SessionId(open.get(random.nextInt(open.size())));
        }
        return new SessionId(seenSessions.get(random.nextInt(seenSessions.size())));
    }

    private Command request() {
        long id = nextRequest++;
        long watermark = Math.max(0, id - 1 - random.nextInt(40));
        if (random.nextInt(60) == 0) {
            id += random.nextInt(2_000);
        }
        Command.Request request = new Command.Request(session(), id, watermark, operation());
        sent.add(request);
        if (sent.size() > 20) {
            sent.remove(0);
        }
        return request;
    }

    /** A request again, with the same or a higher watermark, as a client repeats it. */
    private Command repeated() {
        Command.Request old = sent.get(random.nextInt(sent.size()));
        long watermark = random.nextBoolean() ? old.watermark() : Math.max(0, nextRequest - random.nextInt(30));
        return new Command.Request(old.session(), old.requestId(), watermark, old.operation());
    }

    private NodePath path() {
        if (random.nextInt(20) == 0 && !seenPlaces.isEmpty()) {
            return new NodePath(seenPlaces.get(random.nextInt(seenPlaces.size())).path);
        }
        return new NodePath(PATHS[random.nextInt(PATHS.length)]);
    }

    private long version() {
        return random.nextInt(6) - 3L;
    }

    private byte[] value() {
        return random.nextInt(50) == 0 ? TOO_LARGE : new byte[random.nextInt(20)];
    }

    private Operation operation() {
        switch (random.nextInt(20)) {
            case 0, 1:
                return new Operation.Put(path(), value(), version());
            case 2:
                return new Operation.Put(path(), value(), Operation.ANY_VERSION);
            case 3, 4:
                return new Operation.CreateEphemeral(path(), value(), random.nextInt(3) == 0);
            case 5, 6:
                return new Operation.Delete(path(), random.nextInt(3) == 0 ? version() : Operation.ANY_VERSION);
            case 7, 8, 9, 10, 11, 12:
                return acquire();
            case 13, 14, 15, 16:
                return release();
            case 17:
                return random.nextInt(10) > 0
                        ? batch()
                        : random.nextBoolean()
                                ? new Operation.BreakPlace(path(), new FencingToken(random.nextInt(30)))
                                : new Operation.EndSession(session());
            case 18:
                return new Operation.Cancel(nextRequest - 1 - random.nextInt(12) + random.nextInt(3));
            default:
                return random.nextInt(5) == 0 ? new Operation.CloseSession() : acquire();
        }
    }

    private Operation batch() {
        List<Operation.BatchItem> items = new ArrayList<>();
        int size = random.nextInt(5);
        for (int i = 0; i < size; i++) {
            items.add(
                    switch (random.nextInt(3)) {
                        case 0 -> new Operation.Delete(path(), random.nextInt(3) == 0 ? version() : -2);
                        case 1 -> new Operation.Check(path(), random.nextInt(3) - 1L);
                        default -> new Operation.Put(path(), value(), random.nextInt(4) == 0 ? version() : -2);
                    });
        }
        return new Operation.Batch(items);
    }

    private Operation acquire() {
        LockMode mode = LockMode.of(random.nextInt(3));
        boolean oddPermits = random.nextInt(20) == 0;
        int permits = mode != LockMode.PERMIT ? 0 : random.nextInt(6) == 0 ? 3 : 2;
        long delay = random.nextInt(3) == 0 ? random.nextInt(30) == 0 ? 60_001 : 500 : 0;
        boolean onlyIfFree = random.nextInt(4) == 0;
        // A lock's permits are refused before they could get into an entry, which has no field for them.
        permits = oddPermits && mode == LockMode.PERMIT ? random.nextInt(3) - 1 : permits;
        return new Operation.Acquire(path(), mode, onlyIfFree, delay, value(), permits);
    }

    private Operation release() {
        if (seenPlaces.isEmpty()) {
            return acquire();
        }
        ModelCell.Node place = seenPlaces.get(random.nextInt(seenPlaces.size()));
        long token = random.nextInt(12) == 0 ? random.nextInt(30) : place.created;
        return new Operation.Release(new NodePath(place.path), new FencingToken(token));
    }
}
