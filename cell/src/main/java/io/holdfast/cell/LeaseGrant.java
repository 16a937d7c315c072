package io.holdfast.cell;

import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseName;

/** What a new leader needs to know of a leased lock that is held (R7.1). */
public record LeaseGrant(LeaseName name, FencingToken token, long leaseMillis) {}
