package io.holdfast.server.planted;

import io.holdfast.raft.planted.ReadsClock;

/** Uses a module above it, which is allowed; is used by one, which is not. */
public final class ServerClass {
    public long now(ReadsClock clock) {
        return clock.now();
    }
}
