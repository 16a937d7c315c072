package io.holdfast.client;

import io.holdfast.client.loop.SessionListener;
import io.holdfast.client.session.Hold;
import io.holdfast.client.session.LeasedHold;
import io.holdfast.client.session.SessionState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Tells the application what becomes of its session: each listener in order, none delayed by another (R3.4, C35). */
final class StateBoard implements SessionListener {
    private final Callbacks callbacks;
    private final HoldRegistry registry;
    private final List<Subscriber> subscribers = new ArrayList<>();
    private StateChange present = new StateChange(SessionState.CONNECTING, "not opened yet");

    private record Subscriber(StateListener listener, Sequencer sequencer) {
        void tell(StateChange change) {
            sequencer.execute(() -> listener.stateChanged(change));
        }
    }

    StateBoard(Callbacks callbacks, HoldRegistry registry) {
        this.callbacks = callbacks;
        this.registry = registry;
    }

    @Override
    public synchronized void stateChanged(SessionState state, String reason) {
        present = new StateChange(state, reason);
        subscribers.forEach(subscriber -> subscriber.tell(present));
    }

    @Override
    public void holdLost(Hold hold, String reason) {
        registry.lost(hold, reason);
    }

    @Override
    public void leaseLost(LeasedHold hold, String reason) {
        if (hold.handle() instanceof LeaseHold handle) {
            handle.lost(reason);
        }
    }

    @Override
    public synchronized void whenTold(List<Hold> holds, boolean session, Runnable returned) {
        List<CompletableFuture<?>> running = new ArrayList<>(registry.running(holds));
        for (Subscriber subscriber : session ? subscribers : List.<Subscriber>of()) {
            CompletableFuture<Void> reached = new CompletableFuture<>();
            subscriber.sequencer.execute(() -> reached.complete(null)); // behind all that it was told
            running.add(reached);
        }
        var unused = CompletableFuture.allOf(running.toArray(new CompletableFuture<?>[0]))
                .thenRun(returned);
    }

    synchronized Subscription subscribe(StateListener listener) {
        Subscriber subscriber = new Subscriber(listener, new Sequencer(callbacks));
        subscribers.add(subscriber);
        subscriber.tell(present); // a late listener first hears the present state
        return () -> unsubscribe(subscriber);
    }

    private synchronized void unsubscribe(Subscriber subscriber) {
        subscribers.removeIf(listening -> listening == subscriber);
    }
}
