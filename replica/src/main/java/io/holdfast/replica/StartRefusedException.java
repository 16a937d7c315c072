package io.holdfast.replica;

import java.io.IOException;

/** What is on the disk cannot be a replica's whole data; it must not start from it (R8.3, C15, C16). */
public final class StartRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    public StartRefusedException(String message) {
        super(message);
    }
}
