package io.holdfast.client;

import io.holdfast.model.ErrorCode;

/** A batch was refused as a whole; nothing of it was done. */
public final class BatchRefusedException extends RefusedException {
    private static final long serialVersionUID = 1L;

    private final int item;

    BatchRefusedException(int item, ErrorCode reason, String message) {
        super(reason, message);
        this.item = item;
    }

    /** The first item that could not be done, from 0 in the order in which they were added; -1 if it is about the batch itself. */
    public int item() {
        return item;
    }
}
