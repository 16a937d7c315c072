/**
 * A disk that loses what was not fsynced when its process dies, and takes its time.
 *
 * <p>Start at {@link io.holdfast.simulation.disk.SimDisk}; the real write-ahead log and snapshot store run on it.
 *
 * <p>Must not import: {@code java.nio.file}; nothing here touches a real file.
 */
@NullMarked
package io.holdfast.simulation.disk;

import org.jspecify.annotations.NullMarked;
