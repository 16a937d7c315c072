package io.holdfast.client;

import io.holdfast.model.FencingToken;
import java.time.Duration;

/**
 * Who holds a leased lock.
 *
 * @param lease its length, as it was asked for
 * @param remaining of it as the leader saw it: 0 to the lease
 */
public record LeaseInfo(String name, String owner, FencingToken token, Duration lease, Duration remaining) {}
