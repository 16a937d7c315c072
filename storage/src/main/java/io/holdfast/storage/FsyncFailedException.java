package io.holdfast.storage;

import java.io.IOException;
import java.io.UncheckedIOException;

/** What was to be made durable may be durable or not, and nobody can tell: the process ends, and never tries again (R8.3). */
public final class FsyncFailedException extends UncheckedIOException {
    private static final long serialVersionUID = 1;

    FsyncFailedException(String what, IOException cause) {
        super("fsync of " + what + " failed: " + cause.getMessage(), cause);
    }
}
