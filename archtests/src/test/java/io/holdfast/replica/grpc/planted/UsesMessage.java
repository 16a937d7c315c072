package io.holdfast.replica.grpc.planted;

import io.holdfast.protocol.proto.planted.Message;

/** Uses a generated type. */
public final class UsesMessage {
    public Message message() {
        return new Message();
    }
}
