package io.holdfast.raft.planted;

import io.holdfast.server.planted.ServerClass;

/** Uses a module below it, through an array. */
public final class UsesServer {
    public ServerClass[] none() {
        return new ServerClass[0];
    }
}
