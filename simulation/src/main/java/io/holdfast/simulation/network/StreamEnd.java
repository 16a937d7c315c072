package io.holdfast.simulation.network;

/** What one side of a stream does with what arrives. Runs in that side's process. */
public interface StreamEnd {
    void received(Object frame);

    /** The other side closed it, or it broke. Nothing arrives after this. */
    void closed();
}
