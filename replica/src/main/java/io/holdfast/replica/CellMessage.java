package io.holdfast.replica;

import io.holdfast.raft.RaftMessage;
import io.holdfast.storage.CellId;

/** A consensus message of one cell. */
public record CellMessage(CellId cell, RaftMessage message) {}
