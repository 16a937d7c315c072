/**
 * What a process keeps on its disk: one write-ahead log shared by all its cells, snapshot files, and who it is.
 *
 * <p>Start at {@link io.holdfast.storage.DataDirectory}, which opens all of it, then {@link
 * io.holdfast.storage.LogStore}, the seam the replica loop talks to, and {@link io.holdfast.storage.WriteAheadLog} below
 * it. Everything touches the disk only
 * through {@link io.holdfast.storage.Disk}, so that the simulation runs the same log over a simulated disk.
 *
 * <p>Must not import: the state machine, the wire protocol, the loop.
 */
@NullMarked
package io.holdfast.storage;

import org.jspecify.annotations.NullMarked;
