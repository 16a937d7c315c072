package io.holdfast.cell.format;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes a long sequence of records as blocks: a length in four bytes, then whole records. A block of length 0 ends it.
 *
 * <p><b>Thread:</b> one at a time.
 */
public final class BlockWriter {
    private static final int BLOCK_BYTES = 1 << 16;

    private final OutputStream out;
    private final Encoder block = new Encoder();

    public BlockWriter(OutputStream out) {
        this.out = out;
    }

    /** Where to append the next record; call {@link #endRecord} after each. */
    public Encoder record() {
        return block;
    }

    /** Writes the block when it is large enough. */
    public void endRecord() throws IOException {
        if (block.size() >= BLOCK_BYTES) {
            endBlock();
        }
    }

    /** Writes the block that has been begun, if any. */
    public void endBlock() throws IOException {
        if (block.size() > 0) {
            writeLength(block.size());
            block.drainTo(out);
        }
    }

    /** Writes what is left and the end mark. */
    public void end() throws IOException {
        endBlock();
        writeLength(0);
    }

    private void writeLength(int length) throws IOException {
        out.write(new byte[] {(byte) (length >>> 24), (byte) (length >>> 16), (byte) (length >>> 8), (byte) length});
    }
}
