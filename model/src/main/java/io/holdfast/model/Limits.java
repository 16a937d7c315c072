package io.holdfast.model;

/** Every limit that a caller can meet. Each is refused with a code and a message that names it. */
public final class Limits {
    /** Largest value of a node (F5). */
    public static final int MAX_VALUE_BYTES = 65_536;
    /** Longest path, in UTF-8 bytes. */
    public static final int MAX_PATH_BYTES = 1_024;
    /** Longest name of a leased lock or a client, in UTF-8 bytes. */
    public static final int MAX_NAME_BYTES = 512;

    public static final long MIN_SESSION_LEASE_MILLIS = 4_000;
    public static final long DEFAULT_SESSION_LEASE_MILLIS = 12_000;
    public static final long MAX_SESSION_LEASE_MILLIS = 60_000;
    /** Longest lock-delay (R4.6). */
    public static final long MAX_LOCK_DELAY_MILLIS = 60_000;

    public static final long MIN_LEASE_MILLIS = 1_000;
    /** Of a leased lock (F8). */
    public static final long DEFAULT_LEASE_MILLIS = 10_000;

    public static final long MAX_LEASE_MILLIS = 60_000;
    /** Longest request id of an acquire of a leased lock, in UTF-8 bytes. */
    public static final int MAX_REQUEST_ID_BYTES = 128;
    /** Released leased locks that a cell remembers, to answer a repeated release (R7.3). */
    public static final int MAX_FREED_LEASES = 100_000;
    /** Results kept per session above its watermark (R2.7). */
    public static final int MAX_RESULTS_PER_SESSION = 1_024;
    /** Largest batch, message or page (R8.4). */
    public static final int MAX_BATCH_BYTES = 1 << 20;
    /** Most entries of one page of a list. */
    public static final int MAX_PAGE_ENTRIES = 1_000;
    /** Most permits of a semaphore. */
    public static final int MAX_PERMITS = 1_000_000;
    /** Bytes of a session's secret. */
    public static final int SECRET_BYTES = 16;
    /** Nodes that one session may own: its end must stay one step of bounded size (scenario C65). */
    public static final int MAX_NODES_PER_SESSION = 100_000;
    /** Default bound of a cell's state in bytes (N8). */
    public static final long DEFAULT_STATE_BYTES = 1_000_000_000L;

    /** Watches of one session (scenario C53). */
    public static final int MAX_WATCHES_PER_SESSION = 100_000;
    /** Watches of all sessions of a cell. */
    public static final int MAX_WATCHES = 1_000_000;
    /** Shared watches of one front end at its leader: it cannot take all from the others. */
    public static final int MAX_WATCHES_PER_FRONT_END = MAX_WATCHES / 2;
    /** Most bytes of the paths in one page of watches that are claimed again (R8.4). */
    public static final int MAX_WATCH_PAGE_BYTES = 256 << 10;
    /** Values, or places without one, that clients of a cell may cache; beyond, reads are answered as not to be cached. */
    public static final int MAX_CACHED_PATHS = 100_000;
    /** What one session may cache. */
    public static final int MAX_CACHED_PATHS_PER_SESSION = 50_000;
    /** What all sessions of a cell may cache, each path counted for each of them. */
    public static final int MAX_CACHED = 1_000_000;
    /** Items of one batch of writes. */
    public static final int MAX_BATCH_ITEMS = 128;
    /** Values and paths of one batch of writes, together. */
    public static final int MAX_BATCH_CONTENT_BYTES = 512 << 10;

    private Limits() {}
}
