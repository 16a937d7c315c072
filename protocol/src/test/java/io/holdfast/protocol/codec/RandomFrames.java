package io.holdfast.protocol.codec;

import io.holdfast.model.Answer;
import io.holdfast.model.Ending;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.LeaseOwner;
import io.holdfast.model.Limits;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.model.WatchKind;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Valid frames of every kind, drawn from a seed. */
final class RandomFrames {
    private final Random random;

    RandomFrames(long seed) {
        this.random = new Random(seed);
    }

    ClientFrame clientFrame() {
        return switch (random.nextInt(11)) {
            case 0 -> new ClientFrame.Open(number(), bytes(Limits.SECRET_BYTES), number(), text(100), flag());
            case 1 -> new ClientFrame.Attach(session(), bytes(Limits.SECRET_BYTES), number());
            case 2 -> new ClientFrame.KeepAlive(number(), number());
            case 3 -> new ClientFrame.Request(id(), number(), operation(), id());
            case 4 -> new ClientFrame.OneShot(id(), operation(), id());
            case 5 -> new ClientFrame.Watch(id(), list(this::claim), list(this::number));
            case 6 -> new ClientFrame.EndingAck(ending());
            case 7 -> new ClientFrame.Ping();
            case 8 -> new ClientFrame.Lease(id(), leaseCall());
            case 9 -> new ClientFrame.CacheAck(number(), number());
            default -> read(id(), query());
        };
    }

    private ClientFrame.Read read(long id, Query query) {
        long watch = query instanceof Query.Watchable && flag() ? id() : 0;
        return new ClientFrame.Read(id, query, watch, watch == 0 && query instanceof Query.GetValue && flag());
    }

    private ClientFrame.WatchClaim claim() {
        WatchKind kind = WatchKind.values()[random.nextInt(WatchKind.values().length)];
        return new ClientFrame.WatchClaim(id(), kind, path(), number());
    }

    ServerFrame serverFrame() {
        return switch (random.nextInt(18)) {
            case 0 -> new ServerFrame.Hello(text(20), text(20), text(20));
            case 1 -> new ServerFrame.Opened(number(), session(), number(), number());
            case 2 -> new ServerFrame.Attached(session(), number(), number());
            case 3 -> new ServerFrame.KeepAliveAck(number(), flag(), number(), flag());
            case 4 -> new ServerFrame.Reply(number(), outcome());
            case 5 -> new ServerFrame.ReadReply(number(), answer(), number(), maybe(this::fill));
            case 6 -> new ServerFrame.Refused(number(), errorCode(), flag(), text(80));
            case 7 -> new ServerFrame.Granted(session(), path(), token());
            case 8 -> new ServerFrame.PlaceRemoved(session(), path(), token());
            case 9 -> new ServerFrame.SessionEnded(session(), text(80));
            case 10 -> new ServerFrame.WatchesFired(session(), number(), list(this::number));
            case 11 -> new ServerFrame.Watched(number(), number());
            case 12 -> new ServerFrame.EndingNotice(ending(), text(80));
            case 13 -> new ServerFrame.Pong();
            case 14 -> new ServerFrame.Draining(text(80), number());
            case 15 -> new ServerFrame.Invalidate(session(), number(), list(this::path));
            case 16 -> new ServerFrame.Held(number());
            default -> new ServerFrame.Interrupted(text(80), maybe(() -> text(30)));
        };
    }

    private ServerFrame.Fill fill() {
        return new ServerFrame.Fill(number(), number());
    }

    private Ending ending() {
        return flag() ? new Ending.OfSession(session()) : new Ending.OfPlace(session(), path(), token());
    }

    Operation operation() {
        return switch (random.nextInt(10)) {
            case 0 -> new Operation.Put(path(), value(), number());
            case 1 -> new Operation.CreateEphemeral(path(), value(), flag());
            case 2 -> new Operation.Delete(path(), number());
            case 3 -> acquire(mode());
            case 4 -> new Operation.Release(path(), token());
            case 5 -> new Operation.Cancel(number());
            case 6 -> new Operation.Batch(list(this::batchItem));
            case 7 -> new Operation.BreakPlace(path(), token());
            case 8 -> new Operation.EndSession(session());
            default -> new Operation.CloseSession();
        };
    }

    private Operation acquire(LockMode mode) {
        int permits = mode == LockMode.PERMIT ? random.nextInt() : 0;
        return new Operation.Acquire(path(), mode, flag(), number(), value(), permits);
    }

    private Operation.BatchItem batchItem() {
        return switch (random.nextInt(3)) {
            case 0 -> new Operation.Put(path(), value(), number());
            case 1 -> new Operation.Delete(path(), number());
            default -> new Operation.Check(path(), number());
        };
    }

    Query query() {
        return switch (random.nextInt(9)) {
            case 0 -> new Query.GetValue(path());
            case 1 -> new Query.Stat(path());
            case 2 -> new Query.ListChildren(path(), text(60), pageLimit());
            case 3 -> new Query.PlaceState(path(), token());
            case 4 -> new Query.ListPlaces(path(), path(), pageLimit());
            case 5 -> new Query.ListSessions(session(), pageLimit());
            case 6 -> new Query.CheckToken(path(), token());
            case 7 -> new Query.ShardStatus(random.nextInt());
            default -> new Query.CellStatus();
        };
    }

    LeaseCall leaseCall() {
        return switch (random.nextInt(4)) {
            case 0 ->
                new LeaseCall.Acquire(
                        leaseName(), leaseOwner(), 1_000 + random.nextInt(59_001), flag() ? "" : name(30));
            case 1 -> new LeaseCall.Renew(leaseName(), leaseOwner(), token());
            case 2 -> new LeaseCall.Release(leaseName(), leaseOwner(), token());
            default -> new LeaseCall.Inspect(leaseName());
        };
    }

    private LeaseOutcome leaseOutcome() {
        return switch (random.nextInt(7)) {
            case 0 -> new LeaseOutcome.Granted(token(), number());
            case 1 -> new LeaseOutcome.Held(leaseOwner(), number());
            case 2 -> new LeaseOutcome.Renewed(number());
            case 3 -> new LeaseOutcome.Released();
            case 4 -> new LeaseOutcome.Lost(text(80));
            case 5 -> new LeaseOutcome.Found(leaseName(), leaseOwner(), token(), number(), number());
            default -> new LeaseOutcome.Free();
        };
    }

    private LeaseName leaseName() {
        return new LeaseName(name(40));
    }

    private LeaseOwner leaseOwner() {
        return new LeaseOwner(name(40));
    }

    /** Not empty, without a slash at its beginning. */
    private String name(int maxChars) {
        return "n" + text(maxChars).replaceAll("[\\x00-\\x1f\\x7f-\\x9f]", "-");
    }

    Outcome outcome() {
        return switch (random.nextInt(20)) {
            case 12, 13, 14, 15, 16, 17, 18 -> new Outcome.OfLease(leaseOutcome());
            case 0 -> new Outcome.Written(path(), number(), number(), flag());
            case 1 -> new Outcome.Created(path(), number());
            case 2 -> new Outcome.Deleted(path(), number());
            case 3 -> new Outcome.Placed(path(), token(), flag(), flag());
            case 4 -> new Outcome.NotAcquired(path(), token());
            case 5 -> new Outcome.Released(flag());
            case 6 -> new Outcome.Cancelled(maybe(this::path));
            case 7 -> new Outcome.SessionOpened(session(), number());
            case 8 -> new Outcome.SessionClosed();
            case 9 -> new Outcome.Batched(number(), list(this::number));
            case 10 -> new Outcome.BatchRefused(random.nextInt(), errorCode(), text(80));
            case 11 -> new Outcome.BeingEnded(maybe(this::session), text(20), flag(), number());
            default -> new Outcome.Failed(errorCode(), text(80));
        };
    }

    Answer answer() {
        return switch (random.nextInt(9)) {
            case 0 -> new Answer.Value(path(), maybe(this::value), number(), number(), number());
            case 1 ->
                new Answer.NodeStat(
                        path(),
                        NodeKind.values()[random.nextInt(NodeKind.values().length)],
                        number(),
                        number(),
                        number(),
                        number(),
                        random.nextInt(),
                        random.nextInt(),
                        maybe(this::session));
            case 2 -> new Answer.Children(path(), list(() -> text(30)), flag(), number());
            case 3 -> new Answer.Place(path(), token(), flag(), flag());
            case 4 ->
                new Answer.Places(
                        list(() -> new Answer.PlaceInfo(
                                path(),
                                path(),
                                token(),
                                mode(),
                                flag(),
                                maybe(this::session),
                                text(20),
                                number(),
                                value(),
                                random.nextInt(),
                                flag())),
                        flag());
            case 5 ->
                new Answer.Sessions(
                        list(() -> new Answer.SessionInfo(
                                session(), text(20), number(), number(), number(), random.nextInt(), flag(), flag())),
                        flag());
            case 6 -> new Answer.TokenCheck(flag());
            case 7 ->
                new Answer.Status(
                        text(20),
                        maybe(() -> text(10)),
                        number(),
                        number(),
                        number(),
                        number(),
                        number(),
                        number(),
                        list(() -> new Answer.ReplicaInfo(text(10), text(10), flag(), number(), text(16))),
                        new Answer.Caches(
                                number(),
                                number(),
                                list(() -> new Answer.CacheWait(
                                        session(), text(20), random.nextInt(), number(), number()))),
                        random.nextInt(),
                        List.of());
            default -> new Answer.Failed(errorCode(), text(80));
        };
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    long number() {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(3);
            case 1 -> -1 - random.nextInt(2);
            case 2 -> random.nextLong();
            default -> random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
        };
    }

    long id() {
        return 1 + (random.nextLong() >>> 2);
    }

    private boolean flag() {
        return random.nextBoolean();
    }

    private int pageLimit() {
        return 1 + random.nextInt(Limits.MAX_PAGE_ENTRIES);
    }

    private SessionId session() {
        return new SessionId(number());
    }

    private FencingToken token() {
        return new FencingToken(number());
    }

    private LockMode mode() {
        return LockMode.of(random.nextInt(LockMode.values().length));
    }

    private ErrorCode errorCode() {
        return ErrorCode.values()[random.nextInt(ErrorCode.values().length)];
    }

    private byte[] value() {
        int size = switch (random.nextInt(20)) {
            case 0 -> Limits.MAX_VALUE_BYTES;
            case 1, 2, 3, 4 -> 0;
            default -> random.nextInt(200);
        };
        return bytes(size);
    }

    private NodePath path() {
        int segments = random.nextInt(4);
        if (segments == 0) {
            return flag() ? NodePath.ROOT : new NodePath("/" + "p".repeat(Limits.MAX_PATH_BYTES - 1));
        }
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < segments; i++) {
            path.append('/')
                    .append("aé😀z".codePointAt(0) + random.nextInt(1000))
                    .append("é😀");
        }
        return new NodePath(path.toString());
    }

    private String text(int maxChars) {
        int length = random.nextInt(maxChars + 1);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) (flag() ? 'a' + random.nextInt(26) : 0x20 + random.nextInt(0x500)));
        }
        return text.toString();
    }

    private <T> T maybe(Supplier<T> some) {
        return flag() ? some.get() : null;
    }

    private <T> List<T> list(Supplier<T> element) {
        int size = random.nextInt(5);
        List<T> list = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            list.add(element.get());
        }
        return list;
    }
}
