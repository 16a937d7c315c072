package io.holdfast.protocol.grpc;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;

/**
 * Reads bytes that are no message as the empty message, which every codec refuses for its missing version. gRPC itself would
 * log such input as an error of ours, with a stack trace.
 */
final class LenientMarshaller<T extends Message> implements MethodDescriptor.Marshaller<T> {
    private final MethodDescriptor.Marshaller<T> strict;
    private final T empty;

    LenientMarshaller(MethodDescriptor.Marshaller<T> strict, T empty) {
        this.strict = strict;
        this.empty = empty;
    }

    @Override
    public InputStream stream(T value) {
        return strict.stream(value);
    }

    @Override
    public T parse(InputStream stream) {
        try {
            return strict.parse(stream);
        } catch (StatusRuntimeException e) {
            return empty;
        }
    }
}
