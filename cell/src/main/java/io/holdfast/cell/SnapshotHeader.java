package io.holdfast.cell;

import io.holdfast.cell.format.Decoder;
import io.holdfast.cell.format.Encoder;
import io.holdfast.cell.format.MalformedDataException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a snapshot says of the state as a whole.
 *
 * @param incarnation raised by each restore of a deployment from a backup (R2.3); 0 so far
 * @param digest of the state; a restored state must have the same
 */
record SnapshotHeader(long incarnation, long appliedIndex, long appliedTerm, long revision, long digest) {
    private static final byte[] MAGIC = "HFCELL".getBytes(StandardCharsets.US_ASCII);
    /** Written; the only version read so far. */
    static final int VERSION = 1;

    static void writeMagic(OutputStream out) throws IOException {
        out.write(MAGIC);
        out.write(VERSION);
    }

    static void readMagic(InputStream in) throws IOException {
        if (!Arrays.equals(in.readNBytes(MAGIC.length), MAGIC)) {
            throw new MalformedDataException("this is no snapshot of a cell");
        }
        int version = in.read();
        if (version != VERSION) {
            throw new MalformedDataException(
                    "snapshot of format version " + version + ", this software reads " + VERSION);
        }
    }

    void encode(Encoder out) {
        out.number(incarnation).number(appliedIndex).number(appliedTerm);
        out.number(revision); // R2.3
        out.signed(digest);
    }

    static SnapshotHeader decode(Decoder in) {
        return new SnapshotHeader(in.number(), in.number(), in.number(), in.number(), in.signed());
    }
}
