package io.holdfast.replica;

import io.holdfast.storage.CellId;

/**
 * What one replica says of itself to its leader, for display only: no decision rests on it.
 *
 * @param appliedIndex last log index applied to its state
 * @param digest of its state at {@code appliedIndex}, in hexadecimal
 * @param role follower or learner
 */
public record CellReport(CellId cell, long appliedIndex, String digest, String role) {}
