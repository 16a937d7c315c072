package io.holdfast.chaos.lostreply;

import io.holdfast.client.HoldfastClient;
import java.util.Optional;

/**
 * One kind of operation, done over and over.
 *
 * <p><b>Thread:</b> one.
 */
interface Operation extends AutoCloseable {
    String name();

    /** Makes ready what is cut next; nothing is cut yet. */
    void prepare() throws InterruptedException;

    /** The operation itself, through the relay; throws what the caller would see. */
    void act() throws InterruptedException;

    /**
     * What is wrong with what came of it, asked of the cell directly; cleans up.
     *
     * @param direct a client that nothing cuts off
     */
    Optional<String> judge(HoldfastClient direct) throws InterruptedException;

    @Override
    void close();
}
