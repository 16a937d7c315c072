package io.holdfast.fencing.file;

import io.holdfast.fencing.Fence;
import io.holdfast.fencing.LockName;
import io.holdfast.model.FencingToken;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * What stands in a guard's file: UTF-8 text of one line each.
 *
 * <pre>
 * holdfast-guard 1
 * EXCLUSIVE HIGHEST LOCK     one per lock, in order of the name; the tokens in decimal
 * crc32c CHECKSUM            of all bytes before this line, 8 hex digits
 * </pre>
 *
 * <p>A lock's name has no control character, so it ends where its line does. Anything else than this is damage, an empty
 * file too: a guard that took damage for "nothing accepted yet" would accept every old token.
 */
final class FenceFormat {
    private static final String HEADER = "holdfast-guard 1";
    private static final String CHECKSUM = "crc32c ";
    private static final int CHECKSUM_LINE_BYTES = CHECKSUM.length() + 8 + 1;

    private FenceFormat() {}

    static byte[] encode(SortedMap<LockName, Fence> fences) {
        StringBuilder text = new StringBuilder(HEADER).append('\n');
        fences.forEach((lock, fence) -> text.append(fence.exclusive())
                .append(' ')
                .append(fence.highest())
                .append(' ')
                .append(lock)
                .append('\n'));
        String checksum = checksumOf(text.toString().getBytes(StandardCharsets.UTF_8));
        return text.append(CHECKSUM).append(checksum).append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The fences in a file.
     *
     * @throws IllegalArgumentException that says what is damaged
     */
    static SortedMap<LockName, Fence> decode(byte[] content) {
        int bodyBytes = content.length - CHECKSUM_LINE_BYTES;
        if (bodyBytes < 0) {
            throw new IllegalArgumentException("it is too short, " + content.length + " bytes");
        }
        String body = text(content, 0, bodyBytes);
        String last = text(content, bodyBytes, CHECKSUM_LINE_BYTES);
        if (!last.equals(CHECKSUM + checksumOf(body.getBytes(StandardCharsets.UTF_8)) + "\n")) {
            throw new IllegalArgumentException("its checksum is wrong");
        }
        List<String> lines = body.lines().toList();
        if (lines.isEmpty() || !lines.get(0).equals(HEADER)) {
            throw new IllegalArgumentException("it does not begin with '" + HEADER + "'");
        }
        SortedMap<LockName, Fence> fences = new TreeMap<>();
        for (String line : lines.subList(1, lines.size())) {
            addLine(line, fences);
        }
        return fences;
    }

    private static void addLine(String line, SortedMap<LockName, Fence> fences) {
        int first = line.indexOf(' ');
        int second = line.indexOf(' ', first + 1);
        if (first < 0 || second < 0) {
            throw new IllegalArgumentException("it has a line without two tokens and a name: '" + line + "'");
        }
        try {
            long exclusive = Long.parseLong(line.substring(0, first));
            long highest = Long.parseLong(line.substring(first + 1, second));
            LockName lock = new LockName(line.substring(second + 1));
            fences.put(lock, new Fence(new FencingToken(exclusive), new FencingToken(highest)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("it has a line that cannot be: '" + line + "'", e);
        }
    }

    private static String text(byte[] content, int from, int length) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content, from, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("it is not UTF-8", e);
        }
    }

    private static String checksumOf(byte[] body) {
        CRC32C crc = new CRC32C();
        crc.update(body);
        return String.format("%08x", crc.getValue());
    }
}
