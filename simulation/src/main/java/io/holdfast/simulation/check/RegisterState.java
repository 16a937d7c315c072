package io.holdfast.simulation.check;

import io.holdfast.model.Operation;
import org.jspecify.annotations.Nullable;

/**
 * What a key holds, by the promises of F5.
 *
 * @param version {@link RegisterOp#ABSENT} if it holds nothing
 */
record RegisterState(long version, long value) {
    static final RegisterState EMPTY = new RegisterState(RegisterOp.ABSENT, 0);

    private boolean isPresent() {
        return version != RegisterOp.ABSENT;
    }

    /** The state after an operation, or null if the operation cannot have had its result here. */
    @Nullable
    RegisterState after(RegisterOp op) {
        return switch (op.kind()) {
            case GET -> op.result() == version && (!isPresent() || op.value() == value) ? this : null;
            case PUT -> {
                if (!expects(op.expectedVersion())) {
                    yield op.isUnknown() || op.result() == RegisterOp.MISMATCH ? this : null;
                }
                long written = isPresent() ? version + 1 : 0;
                yield op.isUnknown() || op.result() == written ? new RegisterState(written, op.value()) : null;
            }
            case DELETE -> {
                if (!isPresent() || !expects(op.expectedVersion())) {
                    yield op.isUnknown() || op.result() == RegisterOp.MISMATCH ? this : null;
                }
                yield op.isUnknown() || op.result() == RegisterOp.DELETED ? EMPTY : null;
            }
        };
    }

    private boolean expects(long expected) {
        if (expected == Operation.ANY_VERSION) {
            return true;
        }
        return expected == Operation.MUST_NOT_EXIST ? !isPresent() : expected == version;
    }
}
