package io.holdfast.protocol.grpc;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;

/** Defines a service of one bidirectional stream whose reader never fails on garbage. */
public final class StreamService {
    private StreamService() {}

    /**
     * The service.
     *
     * @param method the generated method
     * @param empty the empty request: what garbage is read as
     * @param handler called for every stream
     */
    public static <Q extends Message, R extends Message> ServerServiceDefinition define(
            MethodDescriptor<Q, R> method, Q empty, ServerCalls.BidiStreamingMethod<Q, R> handler) {
        MethodDescriptor<Q, R> lenient = method.toBuilder(
                        new LenientMarshaller<>(method.getRequestMarshaller(), empty), method.getResponseMarshaller())
                .build();
        String service = MethodDescriptor.extractFullServiceName(method.getFullMethodName());
        if (service == null) {
            throw new IllegalArgumentException("method " + method.getFullMethodName() + " belongs to no service");
        }
        return ServerServiceDefinition.builder(service)
                .addMethod(lenient, ServerCalls.asyncBidiStreamingCall(handler))
                .build();
    }
}
