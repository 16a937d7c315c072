package io.holdfast.cell;

import io.holdfast.model.SessionId;

/** What a new leader needs to know of an open session (R3.3). */
public record SessionLease(SessionId session, long leaseMillis, boolean caching) {}
