package io.holdfast.cell.format;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads what {@link BlockWriter} wrote.
 *
 * <p><b>Thread:</b> one at a time.
 */
public final class BlockReader {
    /** Far more than any record has; a damaged length must not take all memory. */
    private static final int MAX_BLOCK_BYTES = 1 << 24;

    private final InputStream in;
    private Decoder block = new Decoder(new byte[0]);

    public BlockReader(InputStream in) {
        this.in = in;
    }

    /** Where the next record begins. */
    public Decoder record() throws IOException {
        if (block.atEnd()) {
            int length = readLength();
            if (length <= 0 || length > MAX_BLOCK_BYTES) {
                throw new MalformedDataException("malformed data: a block of " + length + " bytes");
            }
            block = new Decoder(readFully(length));
        }
        return block;
    }

    /** Reads the end mark. */
    public void end() throws IOException {
        block.requireEnd();
        if (readLength() != 0) {
            throw new MalformedDataException("malformed data: blocks left over");
        }
    }

    private int readLength() throws IOException {
        byte[] length = readFully(4);
        return (length[0] & 0xff) << 24 | (length[1] & 0xff) << 16 | (length[2] & 0xff) << 8 | (length[3] & 0xff);
    }

    private byte[] readFully(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the end in the middle of a block");
        }
        return bytes;
    }
}
