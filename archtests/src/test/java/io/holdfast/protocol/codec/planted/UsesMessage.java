package io.holdfast.protocol.codec.planted;

import io.holdfast.protocol.proto.planted.Message;

/** Uses a generated type. */
public final class UsesMessage {
    public Message message() {
        return new Message();
    }
}
