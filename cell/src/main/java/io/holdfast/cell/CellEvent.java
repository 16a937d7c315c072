package io.holdfast.cell;

import io.holdfast.cell.node.NodeChange;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseName;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.SessionId;

/** Something that happened in {@code apply} and that the leader passes on or keeps in its soft state. */
public sealed interface CellEvent {
    /** A waiting place became held; its session gets exactly one of these (R4.2). */
    record Granted(SessionId session, NodePath place, FencingToken token) implements CellEvent {}

    record SessionOpened(SessionId session, long leaseMillis) implements CellEvent {}

    /** @param expired true if its lease ran out, false if it was closed */
    record SessionEnded(SessionId session, boolean expired) implements CellEvent {}

    /** A held place lost its session and blocks on for its lock-delay (R4.6). */
    record DelayStarted(NodePath place, FencingToken token, long delayMillis) implements CellEvent {}

    /** A place went although its session lives on (cancelled or broken). */
    record PlaceRemoved(SessionId session, NodePath place, FencingToken token) implements CellEvent {}

    /** A leased lock was granted anew, not by a repeated request (R7.1). */
    record LeaseGranted(LeaseGrant grant) implements CellEvent {}

    /** A hold of a leased lock was given back, or its lease is over. */
    record LeaseEnded(LeaseName name, FencingToken token) implements CellEvent {}

    /** A node was created, changed or deleted at {@code revision}; failed commands produce none (R5.4). */
    record NodeChanged(NodePath path, NodeKind kind, long revision, NodeChange change) implements CellEvent {
        public boolean created() {
            return change == NodeChange.CREATED || change == NodeChange.TURNED;
        }

        public boolean deleted() {
            return change == NodeChange.DELETED;
        }
    }
}
