/**
 * The guard that keeps its fences in a file: start at {@link io.holdfast.fencing.file.FileGuard}.
 *
 * <p>Must not import: the other forms.
 */
@NullMarked
package io.holdfast.fencing.file;

import org.jspecify.annotations.NullMarked;
