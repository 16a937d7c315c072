/**
 * Small disks, slow disks, and what a power cut leaves of them.
 *
 * <p>Start at {@link io.holdfast.chaos.disk.PowerCut}. Must not import: other packages than proc.
 */
@NullMarked
package io.holdfast.chaos.disk;

import org.jspecify.annotations.NullMarked;
