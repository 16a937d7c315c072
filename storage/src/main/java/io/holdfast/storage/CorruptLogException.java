package io.holdfast.storage;

/**
 * The log holds something that no crash can leave behind: a hole, a wrong checksum with all bytes present, a record out
 * of sequence. The replica refuses to start; it has to be seeded again (R8.3, C67).
 */
public final class CorruptLogException extends DamagedFileException {
    private static final long serialVersionUID = 1;

    private final long offsetBytes;

    public CorruptLogException(String file, long offsetBytes, String problem) {
        super(file, "log damaged at offset " + offsetBytes + ": " + problem);
        this.offsetBytes = offsetBytes;
    }

    /** Where in the file. */
    public long offsetBytes() {
        return offsetBytes;
    }
}
