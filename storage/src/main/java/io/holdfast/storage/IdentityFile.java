package io.holdfast.storage;

import io.holdfast.raft.ReplicaId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The file {@code identity} of a data directory: lines that an operator can read, closed by their CRC-32C.
 *
 * <pre>
 * holdfast-identity 2
 * deployment dev
 * replica r1
 * incarnation 9f3c…
 * shards 20
 * member r1@9f3c…
 * started
 * crc32c 1a2b3c4d
 * </pre>
 *
 * <p>{@code member} comes once for each; none, and no {@code started}, while that is not so. {@code shards} comes with them;
 * version 1 of the format, which is read and written as long as there is no count, does not know it.
 *
 * <p>It is written aside, fsynced and renamed, so no crash leaves it empty or half-written; such a file is damage, and so
 * is one without a right checksum (C67).
 */
public final class IdentityFile {
    /** Its name in the data directory. */
    public static final String NAME = "identity";

    static final String ASIDE = NAME + ".part";
    private static final String MAGIC = "holdfast-identity ";
    private static final int VERSION_WITHOUT_SHARDS = 1;
    private static final int VERSION = 2;
    private static final String SHARDS = "shards ";
    private static final String STARTED = "started";
    private static final String CRC = "crc32c ";
    private static final int MAX_BYTES = 64 << 10;

    private IdentityFile() {}

    /**
     * Reads the identity, and makes durable what it read.
     *
     * @return empty if there is no such file
     * @throws DamagedFileException if it is not whole
     */
    public static Optional<ReplicaIdentity> load(Disk disk) throws IOException {
        if (!disk.exists(NAME)) {
            return Optional.empty();
        }
        String text = read(disk);
        disk.syncDirectory("");
        try {
            return Optional.of(parse(text));
        } catch (IllegalArgumentException damaged) {
            throw new DamagedFileException(disk.describe(NAME), String.valueOf(damaged.getMessage()));
        }
    }

    /** As {@link #load(Disk)}, and refuses what belongs to another deployment or replica. */
    public static Optional<ReplicaIdentity> load(Disk disk, String deployment, String replicaName) throws IOException {
        Optional<ReplicaIdentity> found = load(disk);
        if (found.isPresent()) {
            ReplicaIdentity identity = found.get();
            requireSame(disk, "deployment", identity.deployment(), deployment);
            requireSame(disk, "replica", identity.replicaName(), replicaName);
        }
        return found;
    }

    /** Replaces the identity durably. */
    public static void store(Disk disk, ReplicaIdentity identity) throws IOException {
        disk.delete(ASIDE);
        try (DiskFile file = disk.create(ASIDE)) {
            file.append(ByteBuffer.wrap(format(identity).getBytes(StandardCharsets.UTF_8)));
            file.sync();
        }
        disk.rename(ASIDE, NAME);
        disk.syncDirectory("");
    }

    private static void requireSame(Disk disk, String what, String found, String configured)
            throws ForeignDataException {
        if (!found.equals(configured)) {
            throw new ForeignDataException(disk.describe(NAME) + ": this data belongs to " + what + " '" + found
                    + "', but the configuration says '" + configured + "'");
        }
    }

    private static String read(Disk disk) throws IOException {
        try (DiskFile file = disk.open(NAME)) {
            if (file.sizeBytes() == 0) {
                throw new DamagedFileException(disk.describe(NAME), "the file is empty");
            }
            if (file.sizeBytes() > MAX_BYTES) {
                throw new DamagedFileException(disk.describe(NAME), "the file is too large to be an identity");
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
            file.read(0, bytes);
            return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
        }
    }

    private static String format(ReplicaIdentity identity) {
        StringBuilder text = new StringBuilder(MAGIC)
                .append(identity.knowsShards() ? VERSION : VERSION_WITHOUT_SHARDS)
                .append('\n');
        text.append("deployment ").append(identity.deployment()).append('\n');
        text.append("replica ").append(identity.replicaName()).append('\n');
        text.append("incarnation ").append(identity.incarnation()).append('\n');
        if (identity.knowsShards()) {
            text.append(SHARDS).append(identity.shards()).append('\n');
        }
        for (ReplicaId member : identity.formedMembers()) {
            text.append("member ").append(member.value()).append('\n');
        }
        if (identity.started()) {
            text.append(STARTED).append('\n');
        }
        return text + CRC + crc(text.toString()) + "\n";
    }

    private static ReplicaIdentity parse(String text) {
        if (!text.startsWith(MAGIC)) {
            throw new IllegalArgumentException("this is not an identity file");
        }
        int firstLine = text.indexOf('\n');
        String version = text.substring(MAGIC.length(), firstLine < 0 ? text.length() : firstLine);
        boolean withShards = version.equals(Integer.toString(VERSION));
        if (firstLine >= 0 && !withShards && !version.equals(Integer.toString(VERSION_WITHOUT_SHARDS))) {
            throw new IllegalArgumentException("format version " + version + ", but this program reads only versions "
                    + VERSION_WITHOUT_SHARDS + " and " + VERSION);
        }
        int crcLine = text.lastIndexOf("\n" + CRC) + 1;
        if (crcLine == 0 || !text.endsWith("\n")) {
            throw new IllegalArgumentException("the file is incomplete");
        }
        String body = text.substring(0, crcLine);
        if (!text.substring(crcLine).equals(CRC + crc(body) + "\n")) {
            throw new IllegalArgumentException("wrong checksum");
        }
        List<String> lines = body.lines().toList();
        int head = withShards ? 5 : 4;
        if (lines.size() < head) {
            throw new IllegalArgumentException("the file is incomplete");
        }
        boolean started = lines.get(lines.size() - 1).equals(STARTED);
        List<ReplicaId> members = new ArrayList<>();
        for (String line : lines.subList(head, started ? lines.size() - 1 : lines.size())) {
            members.add(new ReplicaId(value(line, "member ")));
        }
        return new ReplicaIdentity(
                value(lines.get(1), "deployment "),
                value(lines.get(2), "replica "),
                value(lines.get(3), "incarnation "),
                members,
                started,
                withShards ? count(value(lines.get(4), SHARDS)) : ReplicaIdentity.SHARDS_UNKNOWN);
    }

    private static int count(String text) {
        int count = Integer.parseInt(text);
        if (count < 0) {
            throw new IllegalArgumentException("'shards' is negative");
        }
        return count;
    }

    private static String value(String line, String key) {
        if (!line.startsWith(key)) {
            throw new IllegalArgumentException("'" + key.trim() + "' is missing");
        }
        return line.substring(key.length());
    }

    private static String crc(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return String.format("%08x", LogFormat.crc(bytes, 0, bytes.length));
    }
}
