/**
 * Consensus as a pure state machine, after Ongaro's Raft thesis.
 *
 * <p>Start at {@link io.holdfast.raft.RaftCore}: {@code step(input, now)} takes one {@link io.holdfast.raft.RaftInput},
 * {@code takeOutput()} hands out a {@link io.holdfast.raft.RaftOutput}. {@link io.holdfast.raft.RaftMessage} lists what
 * replicas say to each other.
 *
 * <p>Must not import: anything but {@code java.lang} and {@code java.util} collections. No clock, no thread, no lock, no
 * I/O, no randomness of its own; time and random numbers are passed in.
 */
@NullMarked
package io.holdfast.raft;

import org.jspecify.annotations.NullMarked;
