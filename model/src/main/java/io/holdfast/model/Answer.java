package io.holdfast.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a {@link Query} found. */
public sealed interface Answer {
    /**
     * A persistent value, or that there is none.
     *
     * @param value null if there is no persistent value here
     * @param version {@link Operation#MUST_NOT_EXIST} if there is none: what a compare-and-set has to expect
     */
    record Value(NodePath path, byte @Nullable [] value, long version, long createRevision, long modifyRevision)
            implements Answer {}

    /**
     * A node's data about itself.
     *
     * @param session owner of an ephemeral node or place; null otherwise, also for a place in its lock-delay
     */
    record NodeStat(
            NodePath path,
            NodeKind kind,
            long version,
            long createRevision,
            long modifyRevision,
            long childrenRevision,
            int children,
            int valueBytes,
            @Nullable SessionId session)
            implements Answer {}

    /** @param more whether there is another page */
    record Children(NodePath path, List<String> names, boolean more, long childrenRevision) implements Answer {}

    /**
     * The state of a place.
     *
     * @param present false if the place is gone
     * @param held whether a session holds it now; false for a place in its lock-delay
     */
    record Place(NodePath place, FencingToken token, boolean present, boolean held) implements Answer {}

    record Places(List<PlaceInfo> places, boolean more) implements Answer {}

    record Sessions(List<SessionInfo> sessions, boolean more) implements Answer {}

    record TokenCheck(boolean current) implements Answer {}

    /**
     * The replicas of a cell, with what the leader knows of each.
     *
     * @param leader null if there is none, or none that answered
     * @param shards how many shards the deployment has
     * @param cells the shards, if they were asked as well; a leader never fills it
     */
    record Status(
            String cell,
            @Nullable String leader,
            long term,
            long revision,
            long appliedIndex,
            long stateBytes,
            long nodes,
            long sessions,
            List<ReplicaInfo> replicas,
            Caches caches,
            int shards,
            List<Status> cells)
            implements Answer {
        /** A deployment without shards, of which nothing is cached. */
        public Status(
                String cell,
                @Nullable String leader,
                long term,
                long revision,
                long appliedIndex,
                long stateBytes,
                long nodes,
                long sessions,
                List<ReplicaInfo> replicas) {
            this(
                    cell,
                    leader,
                    term,
                    revision,
                    appliedIndex,
                    stateBytes,
                    nodes,
                    sessions,
                    replicas,
                    Caches.NONE,
                    0,
                    List.of());
        }

        /** A cell of which nothing is known: it has no leader that answers. */
        public static Status unknown(String cell) {
            return new Status(cell, null, 0, 0, 0, 0, 0, 0, List.of());
        }

        /** The same with the shards. */
        public Status withCells(List<Status> others) {
            return new Status(
                    cell,
                    leader,
                    term,
                    revision,
                    appliedIndex,
                    stateBytes,
                    nodes,
                    sessions,
                    replicas,
                    caches,
                    shards,
                    List.copyOf(others));
        }

        /** Whether this cell and each of the others has a leader. */
        public boolean isLed() {
            return leaderless().isEmpty();
        }

        /** Which of them have none. */
        public List<String> leaderless() {
            List<String> names = new ArrayList<>();
            if (leader == null) {
                names.add(cell);
            }
            cells.forEach(other -> names.addAll(other.leaderless()));
            return names;
        }
    }

    /**
     * What clients cache of a cell, and for whom writes wait (R6.3).
     *
     * @param cachedPaths with or without a value
     * @param writesWaiting for clients to let go of what they cache
     * @param waitsFor the sessions that have not let go yet, those that are waited for longest first; not all if there are many
     */
    record Caches(long cachedPaths, long writesWaiting, List<CacheWait> waitsFor) {
        /** Most sessions that are named. */
        public static final int MAX_NAMED = 100;

        /** Nothing is cached. */
        public static final Caches NONE = new Caches(0, 0, List.of());

        public Caches {
            waitsFor = List.copyOf(waitsFor);
        }
    }

    /**
     * One session that has not let go of what it caches.
     *
     * @param paths that it was told to let go of; 0 if it has to acknowledge a new leader (R6.6)
     * @param waitedMillis since it was told
     * @param remainingMillis of its cache lease: the longest that a write still waits for it
     */
    record CacheWait(SessionId session, String clientName, int paths, long waitedMillis, long remainingMillis) {}

    /** The query could not be answered. */
    record Failed(ErrorCode code, String message) implements Answer {}

    /**
     * One place in a queue.
     *
     * @param held whether a session holds it now
     * @param session null for a place in its lock-delay (R4.6): nobody holds it, and it blocks others as a hold would
     * @param sinceWallMillis wall clock of the proposer when the place was made, for display only
     * @param clientName what the session's client calls itself; empty in the lock-delay
     * @param permits of the semaphore that the place belongs to; 0 for a lock
     * @param ending whether an operator is ending it, alone or with its session (R3.6)
     */
    record PlaceInfo(
            NodePath lock,
            NodePath place,
            FencingToken token,
            LockMode mode,
            boolean held,
            @Nullable SessionId session,
            String clientName,
            long sinceWallMillis,
            byte[] value,
            int permits,
            boolean ending) {
        /** The same place with what only the leader knows. */
        public PlaceInfo beingEnded() {
            return new PlaceInfo(
                    lock, place, token, mode, held, session, clientName, sinceWallMillis, value, permits, true);
        }
    }

    /**
     * One session.
     *
     * @param remainingMillis of its lease as the leader sees it, 0 to the lease
     * @param ending whether an operator is ending it (R3.6): nothing renews it any more
     */
    record SessionInfo(
            SessionId session,
            String clientName,
            long leaseMillis,
            long remainingMillis,
            long openedWallMillis,
            int nodes,
            boolean expiring,
            boolean ending) {
        /** The same session with what only the leader knows. */
        public SessionInfo withLease(long newRemainingMillis, boolean newExpiring, boolean newEnding) {
            return new SessionInfo(
                    session,
                    clientName,
                    leaseMillis,
                    newRemainingMillis,
                    openedWallMillis,
                    nodes,
                    newExpiring,
                    newEnding);
        }
    }

    /**
     * One replica of the cell.
     *
     * @param role leader, follower, learner or unknown
     * @param digest state digest at {@code appliedIndex}, in hexadecimal; empty if unknown
     */
    record ReplicaInfo(String replica, String role, boolean reachable, long appliedIndex, String digest) {}
}
