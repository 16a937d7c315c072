package io.holdfast.storage;

import java.io.IOException;

/** Data that is whole but is not for this process: another deployment's, another replica's, or in use by another process. */
public final class ForeignDataException extends IOException {
    private static final long serialVersionUID = 1;

    public ForeignDataException(String message) {
        super(message);
    }
}
