package io.holdfast.protocol.codec;

import io.holdfast.model.ErrorCode;
import io.holdfast.protocol.frame.ServerFrame;
import org.jspecify.annotations.Nullable;

/**
 * A message from the wire that is no valid frame. Checked, so that no reader of a stream forgets it: bad input is answered
 * or ends its stream, never more than that.
 */
public final class MalformedFrameException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String field;
    private final ErrorCode code;
    private final long id;

    MalformedFrameException(String field, ErrorCode code, String problem) {
        this(field, code, field + ": " + problem, -1);
    }

    private MalformedFrameException(String field, ErrorCode code, @Nullable String message, long id) {
        super(message, null, false, false);
        this.field = field;
        this.code = code;
        this.id = id;
    }

    /** Something about {@code field} is invalid; the frame it is in is not known. */
    public static MalformedFrameException invalid(String field, String problem) {
        return new MalformedFrameException(field, ErrorCode.INVALID, problem);
    }

    /** The same problem, found in the frame with this id; 0 for an open or attach. */
    MalformedFrameException inFrame(long frameId) {
        return new MalformedFrameException(field, code, getMessage(), frameId);
    }

    /** The field that is wrong, for example {@code acquire.lock}. */
    public String field() {
        return field;
    }

    /** {@link ErrorCode#INVALID} or {@link ErrorCode#TOO_LARGE}. */
    public ErrorCode code() {
        return code;
    }

    /** The problem in one line, safe to show to whom sent the message. */
    public String problem() {
        return String.valueOf(getMessage());
    }

    /** Whether it is known which frame is meant, so that it can be refused; else its stream must end. */
    public boolean refusable() {
        return id >= 0;
    }

    /**
     * The answer to the sender: not done, definitely.
     *
     * @throws IllegalStateException unless {@link #refusable()}
     */
    public ServerFrame.Refused refusal() {
        if (!refusable()) {
            throw new IllegalStateException("no frame to refuse: " + getMessage());
        }
        return new ServerFrame.Refused(id, code, true, problem());
    }
}
