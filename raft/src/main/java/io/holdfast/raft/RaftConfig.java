package io.holdfast.raft;

/**
 * Times and limits of one cell's consensus. Times are nanoseconds of the monotonic clock passed to {@code step}.
 *
 * @param heartbeatNanos a leader speaks to each peer at least this often
 * @param electionMinNanos shortest election timeout, and the time a leader may go without a majority (R2.8)
 * @param electionMaxNanos longest election timeout, exclusive; timeouts are drawn evenly between the two
 * @param disconnectDelayMaxNanos a follower whose leader closed the connection asks for pre-votes within this time
 * @param maxUncommittedBytes proposals are refused while more than this waits for commit
 * @param maxAppendBytes largest payload of one append message (R8.4: 1 MB)
 * @param maxInflightAppends appends sent to one peer and not yet answered
 * @param snapshotChunkBytes largest chunk of a snapshot in one message
 */
public record RaftConfig(
        long heartbeatNanos,
        long electionMinNanos,
        long electionMaxNanos,
        long disconnectDelayMaxNanos,
        long maxUncommittedBytes,
        int maxAppendBytes,
        int maxInflightAppends,
        int snapshotChunkBytes) {
    private static final long MILLI = 1_000_000L;

    public RaftConfig {
        if (heartbeatNanos <= 0 || electionMinNanos <= heartbeatNanos || electionMaxNanos <= electionMinNanos) {
            throw new IllegalArgumentException("need 0 < heartbeat < shortest election timeout < longest: heartbeat="
                    + heartbeatNanos + "ns election=[" + electionMinNanos + ", " + electionMaxNanos + ")ns");
        }
    }

    /** The defaults of the service: heartbeat 100 ms, election timeout 1 to 2 s, 64 MB uncommitted. */
    public static RaftConfig defaults() {
        return of(100 * MILLI, 1_000 * MILLI, 2_000 * MILLI);
    }

    /** The default limits with other times, in nanoseconds. */
    public static RaftConfig of(long heartbeatNanos, long electionMinNanos, long electionMaxNanos) {
        return new RaftConfig(
                heartbeatNanos,
                electionMinNanos,
                electionMaxNanos,
                Math.max(1, electionMinNanos / 5),
                64L << 20,
                1 << 20,
                64,
                256 << 10);
    }
}
