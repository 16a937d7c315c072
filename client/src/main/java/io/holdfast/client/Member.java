package io.holdfast.client;

import io.holdfast.model.FencingToken;

/**
 * One member of a group when the cell answered.
 *
 * @param value what it joined with, for example its address
 * @param token a number of this membership alone; lower ones joined before
 * @param place the path of its place
 * @param clientName what its client calls itself
 */
public record Member(String value, FencingToken token, String place, String clientName) {}
