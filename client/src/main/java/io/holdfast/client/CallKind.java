package io.holdfast.client;

import io.holdfast.client.session.Failure;
import org.jspecify.annotations.Nullable;

/** How one kind of call turns what the machine says into what the application gets. */
abstract class CallKind<T> {
    /** Turns a hold, outcome or answer into the result. On the loop's thread: must be quick. */
    abstract T of(Object result);

    /** Why what the machine says is no result; null if it is one. */
    @Nullable
    HoldfastException refusal(Object result) {
        return null;
    }

    /** The result that a failure stands for; null if it is one. */
    @Nullable
    T ofFailure(Failure failure) {
        return null;
    }

    /** Called when the result is handed over, on the application's thread. */
    void handingOver(T value) {}

    /** The result came, but nobody wants it any more. */
    void giveBack(T value) {}
}
