package io.holdfast.client;

import io.holdfast.model.FencingToken;

/**
 * Who led when the cell answered.
 *
 * @param election the election's path
 * @param value what the leader campaigned with, for example its address
 * @param token of the lead: rises with every one of this election
 * @param place the path of its place
 * @param clientName what its client calls itself
 */
public record Leader(String election, String value, FencingToken token, String place, String clientName) {}
