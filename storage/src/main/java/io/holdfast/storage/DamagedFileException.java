package io.holdfast.storage;

import java.io.IOException;

/** A file of the data directory is damaged, incomplete or missing, so the replica must not start from it (R8.3). */
public class DamagedFileException extends IOException {
    private static final long serialVersionUID = 1;

    private final String file;

    /**
     * @param file full name, as an operator would look for it
     * @param problem what is wrong with it
     */
    public DamagedFileException(String file, String problem) {
        super(file + ": " + problem);
        this.file = file;
    }

    /** The full name of the file. */
    public String file() {
        return file;
    }
}
