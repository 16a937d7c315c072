package io.holdfast.fencing;

/** An account that its writers change as real ones do: read the balance, think, write the new one. */
public interface Ledger {
    /** A new holder's first act; nothing where there is no guard. */
    void raise(Grant grant) throws Exception;

    long balance() throws Exception;

    void write(Grant grant, long balance) throws Exception;
}
