package io.holdfast.client.fake;

import io.holdfast.model.Answer;
import io.holdfast.model.Ending;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.Limits;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A cell in one object: sessions, one-by-one requests applied at most once, lock queues, values. Slow and obviously right, and as
 * unkind as the protocol allows: a session ends at the very moment of its deadline, and a repeated Open does not renew it.
 */
public final class FakeCell {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final TreeMap<Long, Stream> streams = new TreeMap<>();
    private final TreeMap<Long, Session> sessions = new TreeMap<>();
    private final TreeMap<NodePath, Place> places = new TreeMap<>();
    private final TreeMap<NodePath, Answer.Value> values = new TreeMap<>();
    private final TreeMap<NodePath, Integer> applications = new TreeMap<>();
    private final FakeWatches watches = new FakeWatches();
    private final FakeLeases leases = new FakeLeases();
    private long lastStream;
    private long revision;
    private long epoch = 1;
    private long now;
    public String deployment = "d1";
    /** If set, answers every request so instead of carrying it out. */
    public Outcome answerInstead;

    private static final class Stream {
        final Consumer<ServerFrame> out;
        Session session;

        Stream(Consumer<ServerFrame> out) {
            this.out = out;
        }
    }

    private static final class Session {
        final SessionId id;
        final byte[] secret;
        final long leaseMillis;
        final String clientName;
        long deadline;
        long attachment;
        long watermark;
        final TreeMap<Long, Outcome> results = new TreeMap<>();
        Stream stream;

        Session(SessionId id, ClientFrame.Open open) {
            this.id = id;
            this.secret = open.secret();
            this.leaseMillis = open.leaseMillis();
            this.clientName = open.clientName();
        }
    }

    private static final class Place {
        final NodePath path;
        final FencingToken token;
        final LockMode mode;
        final Session session;
        final byte[] value;
        final int permits;
        boolean held;

        Place(NodePath path, FencingToken token, Operation.Acquire acquire, Session session) {
            this.path = path;
            this.token = token;
            this.mode = acquire.mode();
            this.session = session;
            this.value = acquire.value();
            this.permits = acquire.permits();
        }
    }

    /** A new stream; what the cell says on it goes to {@code out}. */
    public long connect(Consumer<ServerFrame> out) {
        Stream stream = new Stream(out);
        streams.put(++lastStream, stream);
        out.accept(new ServerFrame.Hello("main", deployment, "r1"));
        return lastStream;
    }

    public void disconnect(long number) {
        Stream stream = streams.remove(number);
        if (stream != null && stream.session != null && stream.session.stream == stream) {
            stream.session.stream = null;
            watches.forget(stream.session.id);
        }
    }

    public int watchCount() {
        return watches.size();
    }

    /** Sets a value as another client would. */
    public void put(String path, byte[] value) {
        put(new Operation.Put(new NodePath(path), value, Operation.ANY_VERSION));
        fireWatches();
    }

    public void delete(String path) {
        delete(new NodePath(path));
        fireWatches();
    }

    private void fireWatches() {
        for (Session session : sessions.values()) {
            List<Long> fired = watches.fired(session.id);
            if (!fired.isEmpty()) {
                tell(session, new ServerFrame.WatchesFired(session.id, revision, fired));
            }
        }
    }

    /** The clock of the cell; sessions whose deadline has come are over. */
    public void at(long nanos) {
        now = nanos;
        for (Session session : new ArrayList<>(sessions.values())) {
            if (now >= session.deadline) {
                end(session, "its lease ran out");
            }
        }
    }

    public long nextDeadline() {
        return sessions.values().stream()
                .mapToLong(session -> session.deadline)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Another leader: every session gets a full lease, every stream must attach again. */
    public void failOver() {
        epoch++;
        sessions.values().forEach(session -> {
            session.deadline = now + session.leaseMillis * NANOS_PER_MILLI;
            session.stream = null;
            watches.forget(session.id);
        });
        streams.values().forEach(stream -> stream.session = null);
        streams.values().forEach(stream -> stream.out.accept(new ServerFrame.Interrupted("another leader", null)));
    }

    public boolean isAlive(SessionId id) {
        return sessions.containsKey(id.value());
    }

    public void expire(SessionId id) {
        Session session = sessions.get(id.value());
        if (session != null) {
            end(session, "ended by an operator");
        }
    }

    /** Ends a hold from outside. */
    public void breakPlaces(NodePath lock) {
        for (Place place : placesOf(lock)) {
            remove(place.path);
            tell(place.session, new ServerFrame.PlaceRemoved(place.session.id, place.path, place.token));
        }
        fireWatches();
    }

    /** Ends whatever is first in a queue from outside; the next one is let in. */
    public void breakFirst(NodePath lock) {
        Place place = placesOf(lock).get(0);
        remove(place.path);
        tell(place.session, new ServerFrame.PlaceRemoved(place.session.id, place.path, place.token));
        grant();
    }

    /** Asks the holders of a lock to let go; each place goes with its acknowledgement (R3.6). */
    public void askToLetGo(NodePath lock) {
        for (Place place : placesOf(lock)) {
            if (place.held) {
                Ending ending = new Ending.OfPlace(place.session.id, place.path, place.token);
                tell(place.session, new ServerFrame.EndingNotice(ending, "broken by an operator"));
            }
        }
    }

    /** Asks a client to let go of its session, which ends with its acknowledgement (R3.6). */
    public void askToLetGo(SessionId id) {
        Session session = sessions.get(id.value());
        if (session != null) {
            tell(session, new ServerFrame.EndingNotice(new Ending.OfSession(id), "expired by an operator"));
        }
    }

    private void letGo(Session session, Ending ending) {
        if (ending instanceof Ending.OfPlace broken) {
            places.remove(broken.place());
            grant();
        } else {
            end(session, "expired by an operator");
        }
    }

    public int placeCount() {
        return places.size();
    }

    public int leaseCount() {
        return leases.size(now);
    }

    public int sessionCount() {
        return sessions.size();
    }

    public int applicationsOf(NodePath path) {
        return applications.getOrDefault(path, 0);
    }

    /** Whose place holds the lock. */
    public List<SessionId> holders(NodePath lock) {
        return placesOf(lock).stream()
                .filter(place -> place.held)
                .map(place -> place.session.id)
                .toList();
    }

    public void frame(long streamNumber, ClientFrame frame) {
        Stream stream = streams.get(streamNumber);
        if (stream == null) {
            return;
        }
        if (frame instanceof ClientFrame.Lease lease) {
            Outcome outcome = new Outcome.OfLease(leases.call(lease.call(), now));
            stream.out.accept(new ServerFrame.Reply(lease.callId(), outcome));
        } else if (frame instanceof ClientFrame.Open open) {
            open(stream, open);
        } else if (frame instanceof ClientFrame.Attach attach) {
            attach(stream, attach);
        } else if (frame instanceof ClientFrame.Ping) {
            stream.out.accept(new ServerFrame.Pong());
        } else if (frame instanceof ClientFrame.KeepAlive keepAlive) {
            if (stream.session != null) {
                stream.session.deadline = now + stream.session.leaseMillis * NANOS_PER_MILLI;
                stream.out.accept(new ServerFrame.KeepAliveAck(keepAlive.sendNumber(), true, epoch));
            }
        } else if (frame instanceof ClientFrame.Request request) {
            if (stream.session != null) {
                request(stream.session, request);
            }
        } else if (frame instanceof ClientFrame.OneShot oneShot) {
            Outcome outcome = apply(null, oneShot.operation());
            fireWatches();
            stream.out.accept(new ServerFrame.Reply(oneShot.callId(), outcome));
            grant();
        } else if (frame instanceof ClientFrame.EndingAck ack) {
            if (stream.session != null) {
                letGo(stream.session, ack.ending());
            }
        } else if (frame instanceof ClientFrame.Read read) {
            if (read.watch() != 0 && stream.session != null) {
                watches.add(stream.session.id, read.watch(), read.query(), revision);
            }
            stream.out.accept(new ServerFrame.ReadReply(read.callId(), answer(read.query()), revision));
        } else if (frame instanceof ClientFrame.Watch watch && stream.session != null) {
            watches.claim(stream.session.id, watch);
            fireWatches();
            stream.out.accept(new ServerFrame.Watched(watch.callId(), revision));
        }
    }

    private void open(Stream stream, ClientFrame.Open open) {
        Session session = sessions.values().stream()
                .filter(known -> Arrays.equals(known.secret, open.secret()))
                .findFirst()
                .orElse(null);
        if (session == null) {
            session = new Session(new SessionId(++revision), open);
            session.deadline = now + open.leaseMillis() * NANOS_PER_MILLI;
            sessions.put(session.id.value(), session);
        }
        bind(stream, session);
        stream.out.accept(new ServerFrame.Opened(open.sendNumber(), session.id, session.leaseMillis, epoch));
    }

    private void attach(Stream stream, ClientFrame.Attach attach) {
        Session session = sessions.get(attach.session().value());
        if (session == null || !Arrays.equals(session.secret, attach.secret())) {
            stream.out.accept(new ServerFrame.SessionEnded(attach.session(), "no such session"));
        } else if (attach.attachment() <= session.attachment) {
            stream.out.accept(new ServerFrame.Refused(0, ErrorCode.REPLACED, true, "a later attachment took over"));
        } else {
            session.attachment = attach.attachment();
            bind(stream, session);
            stream.out.accept(new ServerFrame.Attached(session.id, attach.attachment(), epoch));
        }
    }

    private void bind(Stream stream, Session session) {
        watches.forget(session.id);
        if (session.stream != null) {
            session.stream.session = null;
        }
        session.stream = stream;
        stream.session = session;
    }

    private void request(Session session, ClientFrame.Request request) {
        session.watermark = Math.max(session.watermark, request.watermark());
        session.results.headMap(session.watermark, true).clear();
        long id = request.requestId();
        Outcome outcome;
        if (id <= session.watermark) {
            outcome = new Outcome.Failed(ErrorCode.REQUEST_OLD, "request " + id + " is below the watermark");
        } else if (id > session.watermark + Limits.MAX_RESULTS_PER_SESSION) {
            throw new AssertionError("request " + id + " is beyond the window above " + session.watermark);
        } else if (session.results.containsKey(id)) {
            outcome = session.results.get(id);
        } else {
            outcome = apply(session, request.operation());
            session.results.put(id, outcome);
        }
        grant();
        if (outcome instanceof Outcome.Placed placed) {
            Place place = places.get(placed.place());
            outcome = new Outcome.Placed(placed.place(), placed.token(), place != null && place.held, place != null);
        }
        fireWatches();
        tell(session, new ServerFrame.Reply(id, outcome));
        if (outcome instanceof Outcome.SessionClosed) {
            end(session, "closed");
        }
    }

    private Outcome apply(Session session, Operation operation) {
        if (answerInstead != null) {
            return answerInstead;
        }
        if (operation instanceof Operation.Put put) {
            return put(put);
        } else if (operation instanceof Operation.Delete delete) {
            return delete(delete.path());
        } else if (operation instanceof Operation.Batch batch) {
            return batch(batch);
        } else if (operation instanceof Operation.Acquire acquire) {
            return acquire(session, acquire);
        } else if (operation instanceof Operation.Release release) {
            Place place = places.get(release.place());
            boolean ours = place != null && place.token.equals(release.token()) && place.session == session;
            return new Outcome.Released(ours && remove(release.place()));
        } else if (operation instanceof Operation.Cancel cancel) {
            Outcome made = session.results.get(cancel.requestId());
            session.results.put(cancel.requestId(), new Outcome.Failed(ErrorCode.CANCELLED, "cancelled"));
            NodePath removed = made instanceof Outcome.Placed placed && remove(placed.place()) ? placed.place() : null;
            return new Outcome.Cancelled(removed);
        }
        return new Outcome.SessionClosed();
    }

    private Outcome delete(NodePath path) {
        if (values.remove(path) == null) {
            return new Outcome.Failed(ErrorCode.NOT_FOUND, path + " does not exist");
        }
        watches.changed(path, ++revision, true);
        return new Outcome.Deleted(path, revision);
    }

    /** Puts only, all or none. */
    private Outcome batch(Operation.Batch batch) {
        for (int i = 0; i < batch.items().size(); i++) {
            Operation.BatchItem item = batch.items().get(i);
            Answer.Value old = values.get(item.path());
            long present = old == null ? Operation.MUST_NOT_EXIST : old.version();
            if (item.expectedVersion() != Operation.ANY_VERSION && item.expectedVersion() != present) {
                return new Outcome.BatchRefused(i, ErrorCode.BAD_VERSION, "version is " + present);
            }
        }
        List<Long> versions = new ArrayList<>();
        for (Operation.BatchItem item : batch.items()) {
            versions.add(
                    item instanceof Operation.Put put && put(put) instanceof Outcome.Written written
                            ? written.version()
                            : item.expectedVersion());
        }
        return new Outcome.Batched(revision, versions);
    }

    private Outcome put(Operation.Put put) {
        Answer.Value old = values.get(put.path());
        long present = old == null ? Operation.MUST_NOT_EXIST : old.version();
        if (put.expectedVersion() != Operation.ANY_VERSION && put.expectedVersion() != present) {
            return new Outcome.Failed(ErrorCode.BAD_VERSION, "version is " + present);
        }
        applications.merge(put.path(), 1, Integer::sum);
        revision++;
        long created = old == null ? revision : old.createRevision();
        watches.changed(put.path(), revision, old == null);
        values.put(put.path(), new Answer.Value(put.path(), put.value(), present + 1, created, revision));
        return new Outcome.Written(put.path(), present + 1, revision, old == null);
    }

    private Outcome acquire(Session session, Operation.Acquire acquire) {
        FencingToken token = new FencingToken(++revision);
        NodePath path = acquire.lock().child(acquire.mode().prefix() + "%020d".formatted(token.value()));
        Place place = new Place(path, token, acquire, session);
        List<Place> queue = placesOf(acquire.lock());
        if (queue.stream().anyMatch(other -> other.permits != place.permits)) {
            return new Outcome.Failed(ErrorCode.PERMITS_DIFFER, acquire.lock() + " is in use with other permits");
        }
        queue.add(place);
        boolean free = mayHold(place, queue);
        if (acquire.onlyIfFree() && !free) {
            return new Outcome.NotAcquired(acquire.lock(), queue.get(0).token);
        }
        place.held = free; // so that no event follows
        places.put(path, place);
        watches.changed(path, revision, true);
        return new Outcome.Placed(path, token, free, true);
    }

    private boolean remove(NodePath place) {
        boolean was = places.remove(place) != null;
        if (was) {
            watches.changed(place, ++revision, true);
        }
        return was;
    }

    private List<Place> placesOf(NodePath lock) {
        List<Place> queue = new ArrayList<>();
        for (Place place : places.values()) {
            if (lock.equals(place.path.parent())) {
                queue.add(place);
            }
        }
        queue.sort((a, b) -> a.token.compareTo(b.token));
        return queue;
    }

    private static boolean mayHold(Place place, List<Place> queue) {
        List<Place> lower = queue.stream()
                .filter(other -> other.token.compareTo(place.token) < 0)
                .toList();
        if (place.mode == LockMode.PERMIT) {
            return lower.size() < place.permits;
        }
        return lower.stream().noneMatch(other -> place.mode == LockMode.EXCLUSIVE || other.mode == LockMode.EXCLUSIVE);
    }

    private void grant() {
        for (Place place : places.values()) {
            NodePath lock = place.path.parent();
            if (!place.held && lock != null && mayHold(place, placesOf(lock))) {
                place.held = true;
                tell(place.session, new ServerFrame.Granted(place.session.id, place.path, place.token));
            }
        }
        fireWatches();
    }

    private void end(Session session, String reason) {
        sessions.remove(session.id.value());
        watches.forget(session.id);
        List.copyOf(places.values()).stream()
                .filter(place -> place.session == session)
                .forEach(place -> remove(place.path));
        tell(session, new ServerFrame.SessionEnded(session.id, reason));
        if (session.stream != null) {
            session.stream.session = null;
        }
        grant();
    }

    private static void tell(Session session, ServerFrame frame) {
        if (session.stream != null) {
            session.stream.out.accept(frame);
        }
    }

    private Answer answer(Query query) {
        if (query instanceof Query.GetValue get) {
            return values.getOrDefault(get.path(), new Answer.Value(get.path(), null, 0, 0, 0));
        } else if (query instanceof Query.PlaceState state) {
            Place place = places.get(state.place());
            return new Answer.Place(state.place(), state.token(), place != null, place != null && place.held);
        } else if (query instanceof Query.ListChildren list) {
            TreeSet<NodePath> nodes = new TreeSet<>(values.keySet());
            nodes.addAll(places.keySet());
            List<String> names = nodes.stream()
                    .filter(path -> list.path().equals(path.parent()))
                    .map(NodePath::name)
                    .filter(name -> name.compareTo(list.afterName()) > 0)
                    .toList();
            boolean more = names.size() > list.limit();
            return new Answer.Children(list.path(), more ? names.subList(0, list.limit()) : names, more, revision);
        } else if (query instanceof Query.CheckToken check) {
            return new Answer.TokenCheck(
                    placesOf(check.lock()).stream().anyMatch(place -> place.held && place.token.equals(check.token())));
        } else if (query instanceof Query.ListPlaces list) {
            return page(list);
        } else if (query instanceof Query.ListSessions) {
            return new Answer.Sessions(
                    sessions.values().stream().map(this::info).toList(), false);
        } else if (query instanceof Query.CellStatus) {
            return new Answer.Status("main", "r1", epoch, revision, revision, 0, 0, sessions.size(), List.of());
        }
        return new Answer.Failed(ErrorCode.NOT_FOUND, "no such node");
    }

    private Answer.Places page(Query.ListPlaces list) {
        Comparator<Answer.PlaceInfo> order =
                Comparator.comparing((Answer.PlaceInfo place) -> place.lock()).thenComparing(place -> place.token());
        List<Answer.PlaceInfo> rest = new ArrayList<>(places.values().stream()
                .filter(place -> list.prefix().isAncestorOf(place.path))
                .map(FakeCell::info)
                .sorted(order)
                .toList());
        for (int i = 0; i < rest.size(); i++) {
            if (rest.get(i).place().equals(list.after())) {
                rest.subList(0, i + 1).clear();
            }
        }
        boolean more = rest.size() > list.limit();
        return new Answer.Places(more ? List.copyOf(rest.subList(0, list.limit())) : rest, more);
    }

    private static Answer.PlaceInfo info(Place place) {
        NodePath lock = place.path.parent();
        return new Answer.PlaceInfo(
                lock == null ? NodePath.ROOT : lock,
                place.path,
                place.token,
                place.mode,
                place.held,
                place.session.id,
                place.session.clientName,
                0,
                place.value,
                place.permits,
                false);
    }

    private Answer.SessionInfo info(Session session) {
        long remaining = (session.deadline - now) / NANOS_PER_MILLI;
        return new Answer.SessionInfo(
                session.id, session.clientName, session.leaseMillis, remaining, 0, 0, false, false);
    }

    /** Values by path, for tests that look behind the scenes. */
    public Map<NodePath, Answer.Value> values() {
        return values;
    }
}
