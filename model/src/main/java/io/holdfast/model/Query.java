package io.holdfast.model;

/** What a caller can read. All are linearizable: answered after a leadership check that began after they arrived (R2.6). */
public sealed interface Query {
    /** A query whose answer can be watched (R5.1). A watch with a page of children is about all of them. */
    sealed interface Watchable permits GetValue, Stat, ListChildren {
        NodePath path();

        WatchKind watchKind();
    }

    /** The persistent value at a path (R6.1: ephemeral and container nodes are invisible). Answers {@link Answer.Value}. */
    record GetValue(NodePath path) implements Query, Watchable {
        @Override
        public WatchKind watchKind() {
            return WatchKind.VALUE;
        }
    }

    /** A node of any kind. Answers {@link Answer.NodeStat}. */
    record Stat(NodePath path) implements Query, Watchable {
        @Override
        public WatchKind watchKind() {
            return WatchKind.EXISTENCE;
        }
    }

    /**
     * A page of a node's children in name order.
     *
     * @param afterName begin after this name; empty for the first page
     * @param limit at most this many, 1 to {@link Limits#MAX_PAGE_ENTRIES}
     */
    record ListChildren(NodePath path, String afterName, int limit) implements Query, Watchable {
        @Override
        public WatchKind watchKind() {
            return WatchKind.CHILDREN;
        }
    }

    /** The state of a place after a reconnect (R4.2). Answers {@link Answer.Place}. */
    record PlaceState(NodePath place, FencingToken token) implements Query {}

    /**
     * A page of places of all locks at and below a path, in path order, then token order.
     *
     * @param after place to begin after; the root for the first page
     */
    record ListPlaces(NodePath prefix, NodePath after, int limit) implements Query {}

    /** A page of sessions by id. */
    record ListSessions(SessionId after, int limit) implements Query {}

    /** Whether {@code token} is a present hold's of the lock. Answers {@link Answer.TokenCheck}. */
    record CheckToken(NodePath lock, FencingToken token) implements Query {}

    /** The cell as its leader sees it. Answers {@link Answer.Status}. */
    record CellStatus() implements Query {}

    /**
     * A shard as its leader sees it; a front end takes it there. Answers {@link Answer.Status}.
     *
     * @param shard from 0
     */
    record ShardStatus(int shard) implements Query {}
}
