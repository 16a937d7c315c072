package io.holdfast.nowhere.planted;

/** Lies in no known module. */
public final class Stray {}
