package io.holdfast.simulation.network;

/**
 * A process as the network sees it.
 *
 * <p>Deliveries reach a paused process only when it goes on; a dead one gets none.
 */
public interface Host {
    /** Small number, unique among all processes of a world. */
    int hostId();

    boolean isAlive();

    /** Rises with every start, so that nothing sent to an earlier life reaches a later one. */
    long life();

    /** Runs {@code delivery} in this process: now, or when it is no longer paused. */
    void deliver(Runnable delivery);
}
