package io.holdfast.protocol.proto.planted;

/** Stands for a generated type. */
public final class Message {}
