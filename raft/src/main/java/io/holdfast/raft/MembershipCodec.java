package io.holdfast.raft;

import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The bytes of a {@link Membership} in log entries and snapshots.
 *
 * <p>Format, version 1: one byte version; voters, then learners, each as a 16-bit count and that many ids; an id is a
 * 16-bit number of chars and its UTF-16 chars. All numbers are big-endian. The order is the sets' own, so equal
 * memberships have equal bytes.
 *
 * <p><b>Thread:</b> any; stateless.
 */
public final class MembershipCodec {
    private static final int VERSION = 1;
    private static final int COUNT_BYTES = 2;
    private static final int MAX_ID_CHARS = 0xFFFF;

    private MembershipCodec() {}

    /** The bytes of {@code membership}; a new array each time. */
    public static byte[] encode(Membership membership) {
        byte[] bytes = new byte[1 + sizeOf(membership.voters()) + sizeOf(membership.learners())];
        bytes[0] = VERSION;
        int end = write(bytes, 1, membership.voters());
        end = write(bytes, end, membership.learners());
        Invariants.check(end == bytes.length, "membership size: wrote %d of %d bytes", end, bytes.length);
        return bytes;
    }

    /**
     * The membership that {@link #encode} turned into {@code bytes}.
     *
     * @throws IllegalArgumentException if the bytes are cut short, too long, or of another version
     */
    public static Membership decode(byte[] bytes) {
        return new Reader(bytes).membership();
    }

    private static int sizeOf(SortedSet<ReplicaId> ids) {
        int size = COUNT_BYTES;
        for (ReplicaId id : ids) {
            int chars = id.value().length();
            if (chars > MAX_ID_CHARS) {
                throw new IllegalArgumentException("replica id of " + chars + " chars; at most " + MAX_ID_CHARS);
            }
            size += COUNT_BYTES + 2 * chars;
        }
        return size;
    }

    private static int write(byte[] bytes, int offset, SortedSet<ReplicaId> ids) {
        int at = write(bytes, offset, ids.size());
        for (ReplicaId id : ids) {
            String value = id.value();
            at = write(bytes, at, value.length());
            for (int i = 0; i < value.length(); i++) {
                at = write(bytes, at, value.charAt(i));
            }
        }
        return at;
    }

    private static int write(byte[] bytes, int offset, int unsigned16) {
        bytes[offset] = (byte) (unsigned16 >>> 8);
        bytes[offset + 1] = (byte) unsigned16;
        return offset + 2;
    }

    /** Walks once over the bytes of one membership. */
    private static final class Reader {
        private final byte[] bytes;
        private int at;

        Reader(byte[] bytes) {
            this.bytes = bytes;
        }

        Membership membership() {
            if (bytes.length == 0 || bytes[0] != VERSION) {
                throw new IllegalArgumentException(
                        "membership of version " + (bytes.length == 0 ? "none" : bytes[0]) + ", known is " + VERSION);
            }
            at = 1;
            Membership membership = new Membership(ids(), ids());
            if (at != bytes.length) {
                throw new IllegalArgumentException("membership has " + (bytes.length - at) + " bytes too many");
            }
            return membership;
        }

        private TreeSet<ReplicaId> ids() {
            TreeSet<ReplicaId> ids = new TreeSet<>();
            int count = number();
            for (int i = 0; i < count; i++) {
                StringBuilder value = new StringBuilder();
                int chars = number();
                for (int c = 0; c < chars; c++) {
                    value.append((char) number());
                }
                ids.add(new ReplicaId(value.toString()));
            }
            return ids;
        }

        private int number() {
            if (at + 2 > bytes.length) {
                throw new IllegalArgumentException("membership cut short at byte " + bytes.length);
            }
            int number = (bytes[at] & 0xFF) << 8 | (bytes[at + 1] & 0xFF);
            at += 2;
            return number;
        }
    }
}
