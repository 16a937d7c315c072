/**
 * The nouns that both sides of the wire share: ids, paths, limits, error codes, and what a caller can ask of a cell.
 *
 * <p>Start at {@link io.holdfast.model.Operation} (what changes a cell, with its {@link io.holdfast.model.Outcome}) and
 * {@link io.holdfast.model.Query} (what reads it, with its {@link io.holdfast.model.Answer}). Having one home, the client
 * and the state machine check a path or a limit by the same code.
 *
 * <p>Must not import: anything but {@code java.lang} and {@code java.util}.
 */
@NullMarked
package io.holdfast.model;

import org.jspecify.annotations.NullMarked;
