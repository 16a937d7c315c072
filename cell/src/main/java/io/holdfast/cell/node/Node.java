package io.holdfast.cell.node;

import io.holdfast.cell.base.Hash64;
import io.holdfast.cell.base.HeapSize;
import io.holdfast.cell.format.Decoder;
import io.holdfast.cell.format.Encoder;
import io.holdfast.model.Limits;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * One node of the namespace, immutable (R4.1).
 *
 * <p><b>Thread:</b> any.
 *
 * <p><b>Invariants:</b> 1. A {@link NodeKind#CONTAINER} has no value and no session. 2. An {@link NodeKind#EPHEMERAL} node
 * has a session; a {@link NodeKind#PLACE} has one but in its lock-delay (R4.6). 3. Neither has children.
 */
public final class Node {
    private static final byte[] NO_VALUE = {};
    private static final long HASH_SEED = 1;

    // Measured, see HeapCostTest: the node itself, its path, its entry in the tree, an array's header.
    private static final long NODE_BYTES = 208;
    // An entry in its session's index.
    private static final long OWNED_BYTES = 72;
    // An entry in its lock's queue, and the queue itself: most locks have one place.
    private static final long PLACE_BYTES = 240;

    private final NodePath path;
    private NodeKind kind;
    private byte[] value;
    private long valueHash;
    private long version;
    private long createRevision;
    private long modifyRevision;
    private long childrenRevision;
    private int children;
    private @Nullable SessionId session;
    private long lockDelayMillis;
    private long wallMillis;
    /** Of the semaphore that a permit belongs to, as its request stated it; 0 for all other nodes. */
    private int permits;

    private Node(NodePath path, NodeKind kind, byte[] value, Stamp created) {
        this.path = path;
        this.kind = kind;
        this.value = value;
        this.valueHash = hashOf(value);
        this.createRevision = created.revision();
        this.modifyRevision = created.revision();
        this.wallMillis = created.wallMillis();
    }

    private Node(Node other) {
        path = other.path;
        kind = other.kind;
        value = other.value;
        valueHash = other.valueHash;
        version = other.version;
        createRevision = other.createRevision;
        modifyRevision = other.modifyRevision;
        childrenRevision = other.childrenRevision;
        children = other.children;
        session = other.session;
        lockDelayMillis = other.lockDelayMillis;
        wallMillis = other.wallMillis;
        permits = other.permits;
    }

    public static Node container(NodePath path, Stamp created) {
        return new Node(path, NodeKind.CONTAINER, NO_VALUE, created);
    }

    public static Node persistent(NodePath path, byte[] value, Stamp created) {
        return new Node(path, NodeKind.PERSISTENT, value, created);
    }

    public static Node ephemeral(NodePath path, byte[] value, SessionId session, Stamp created) {
        Node node = new Node(path, NodeKind.EPHEMERAL, value, created);
        node.session = session;
        return node;
    }

    public static Node place(NodePath path, byte[] value, SessionId session, long lockDelayMillis, Stamp created) {
        Node node = new Node(path, NodeKind.PLACE, value, created);
        node.session = session;
        node.lockDelayMillis = lockDelayMillis;
        return node;
    }

    /** This place as one of a semaphore's, or of a lock's if {@code newPermits} is 0. Before it is in the tree. */
    public Node withPermits(int newPermits) {
        Node node = new Node(this);
        node.permits = newPermits;
        return node;
    }

    /** The persistent node that takes this container's stead; children stay. */
    public Node madePersistent(byte[] newValue, Stamp now) {
        Node node = persistent(path, newValue, now);
        node.childrenRevision = childrenRevision;
        node.children = children;
        return node;
    }

    public Node withValue(byte[] newValue, long revision) {
        Node node = new Node(this);
        node.value = newValue;
        node.valueHash = hashOf(newValue);
        node.version = version + 1;
        node.modifyRevision = revision;
        return node;
    }

    /** This place in its lock-delay (R4.6): it belongs to nobody and blocks on. */
    public Node withoutSession(long revision) {
        Node node = new Node(this);
        node.session = null;
        node.modifyRevision = revision;
        return node;
    }

    Node withChildren(int newChildren, long revision) {
        Node node = new Node(this);
        node.children = newChildren;
        node.childrenRevision = revision;
        return node;
    }

    public NodePath path() {
        return path;
    }

    public NodeKind kind() {
        return kind;
    }

    public boolean is(NodeKind other) {
        return kind == other;
    }

    /** Shared; nobody changes it. */
    public byte[] value() {
        return value;
    }

    /** Raised by one with every new value, 0 at first. */
    public long version() {
        return version;
    }

    /** Also the token of a place (R2.3). */
    public long createRevision() {
        return createRevision;
    }

    public long modifyRevision() {
        return modifyRevision;
    }

    /** Revision at which a child last came, went, or as a place lost its session; 0 if there never was one. */
    public long childrenRevision() {
        return childrenRevision;
    }

    public int children() {
        return children;
    }

    /** Owner of an ephemeral node or place; null for all others and for a place in its lock-delay. */
    public @Nullable SessionId session() {
        return session;
    }

    public long lockDelayMillis() {
        return lockDelayMillis;
    }

    /** How many permits the semaphore of this place has; 0 if it is none of a semaphore. */
    public int permits() {
        return permits;
    }

    /** Wall clock at creation, for display only. */
    public long wallMillis() {
        return wallMillis;
    }

    /** A place whose holder's session expired (R4.6). */
    public boolean isDelayed() {
        return kind == NodeKind.PLACE && session == null;
    }

    /** Bytes charged to the state's limit, with what the node costs in the indexes. */
    public long cost() {
        return costOf(path, kind, value.length);
    }

    public static long costOf(NodePath path, NodeKind kind, int valueBytes) {
        return NODE_BYTES + HeapSize.of(path.value()) + valueBytes + indexCost(kind);
    }

    private static long indexCost(NodeKind kind) {
        return switch (kind) {
            case PERSISTENT, CONTAINER -> 0;
            case EPHEMERAL -> OWNED_BYTES;
            case PLACE -> OWNED_BYTES + PLACE_BYTES;
        };
    }

    /** The node's part of the state digest. */
    long digest() {
        return digestWith(valueHash);
    }

    /** As {@link #digest()}, without trusting the hash kept with the value. */
    long recomputedDigest() {
        return digestWith(hashOf(value));
    }

    private long digestWith(long hashOfValue) {
        Hash64 hash = new Hash64(HASH_SEED)
                .add(path.value())
                .add(kind.code())
                .add(hashOfValue)
                .add(version)
                .add(createRevision)
                .add(modifyRevision)
                .add(childrenRevision)
                .add(children)
                .add(session == null ? 0 : session.value())
                .add(lockDelayMillis)
                .add(wallMillis);
        return (permits == 0 ? hash : hash.add(permits)).value(); // ADR 0011: what has none has the digest of before
    }

    private static long hashOf(byte[] value) {
        return new Hash64(HASH_SEED).add(value).value();
    }

    /** Appends the node in the snapshot format. */
    public void encode(Encoder out) {
        out.text(path.value()).octet(kind.code()).bytes(value);
        out.number(version).number(createRevision).number(modifyRevision).number(childrenRevision);
        out.number(children);
        out.number(session == null ? 0 : session.value());
        out.number(lockDelayMillis).signed(wallMillis);
        if (isPermit(path, kind)) {
            out.number(permits); // ADR 0011: no other node has this field, so that older snapshots are read as they are
        }
    }

    /** Reads what {@link #encode} wrote. */
    public static Node decode(Decoder in) {
        NodePath path = in.path();
        int code = in.octet();
        in.require(code <= NodeKind.CONTAINER.code(), "an unknown kind of node");
        Node node = new Node(path, NodeKind.of(code), in.bytes(), new Stamp(0, 0));
        node.version = in.number();
        node.createRevision = in.number();
        node.modifyRevision = in.number();
        node.childrenRevision = in.number();
        long children = in.number();
        in.require(children >= 0 && children <= Integer.MAX_VALUE, "a number of children out of range");
        node.children = (int) children;
        long session = in.number();
        node.session = session == 0 ? null : new SessionId(session);
        node.lockDelayMillis = in.number();
        node.wallMillis = in.signed();
        if (isPermit(path, node.kind)) {
            long permits = in.number();
            in.require(permits >= 1 && permits <= Limits.MAX_PERMITS, "a number of permits out of range");
            node.permits = (int) permits;
        }
        return node;
    }

    private static boolean isPermit(NodePath path, NodeKind kind) {
        return kind == NodeKind.PLACE && path.name().startsWith(LockMode.PERMIT.prefix());
    }
}
