package io.holdfast.cell;

import io.holdfast.model.FencingToken;
import io.holdfast.model.NodePath;

/** A place in its lock-delay, which a new leader starts again in full (R4.6). */
public record DelayedPlace(NodePath place, FencingToken token, long delayMillis) {}
