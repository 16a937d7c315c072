package io.holdfast.simulation.check;

import io.holdfast.client.session.Hold;
import io.holdfast.model.LockMode;
import java.util.function.BooleanSupplier;

/**
 * A hold that some client was told of and has not given up.
 *
 * <p>Whether the client believes in it at this instant is asked of the client's own code, with the client's own clock.
 */
public final class Claim {
    final int client;
    final String lock;
    final LockMode mode;
    /** Of the semaphore; 0 for a lock. */
    final int permits;

    final long token;
    private final BooleanSupplier believed;
    boolean wasBelieved;

    /** @param believed whether the client would act as a holder if it ran now */
    public Claim(int client, Hold hold, BooleanSupplier believed) {
        this.client = client;
        this.lock = hold.lock().value();
        this.mode = hold.mode();
        this.permits = hold.permits();
        this.token = hold.token().value();
        this.believed = believed;
    }

    /** Of a leased lock. */
    public Claim(int client, String name, long token, BooleanSupplier believed) {
        this.client = client;
        this.lock = name;
        this.mode = LockMode.EXCLUSIVE;
        this.permits = 0;
        this.token = token;
        this.believed = believed;
    }

    boolean isBelieved() {
        return believed.getAsBoolean();
    }

    boolean conflictsWith(Claim other) {
        return mode == LockMode.EXCLUSIVE || other.mode == LockMode.EXCLUSIVE || permits != other.permits;
    }

    @Override
    public String toString() {
        return "client " + client + " (" + mode + ", token " + token + ")";
    }
}
