package io.holdfast.client;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One membership of a group. It belongs to whoever has this object, not to a thread.
 *
 * <p><b>Thread:</b> any.
 *
 * <p><b>Invariants:</b> 1. Until it leaves or is lost, one place of it is listed at any time; while its value changes, two may be.
 * 2. Listeners hear of the loss of the present place only, and once.
 */
public final class Membership implements AutoCloseable {
    private final Group group;
    /** Guarded by this. */
    private LockHold hold;
    /** Guarded by this. */
    private String value;
    /** Guarded by this. */
    private boolean left;
    /** Guarded by this. */
    private @Nullable String lostReason;
    /** Guarded by this. */
    private final List<LostListener> listeners = new ArrayList<>();

    Membership(Group group, LockHold hold, String value) {
        this.group = group;
        this.hold = hold;
        this.value = value;
        hold.onLost(this::lost);
    }

    /** Told once if a membership is lost for good: its session expired, or it was ended from outside. */
    @FunctionalInterface
    public interface LostListener {
        void lost(Membership membership, String reason);
    }

    private synchronized LockHold hold() {
        return hold;
    }

    /** The group's path. */
    public String path() {
        return group.path();
    }

    /** As others read it. */
    public synchronized String value() {
        return value;
    }

    /** A number of this membership alone; a new one with each {@link #update}. */
    public FencingToken token() {
        return hold().token();
    }

    /** The path of its present place. */
    public String place() {
        return hold().place();
    }

    /** Whether it is surely listed right now: not in jeopardy, not lost, not left or leaving. */
    public boolean isMember() {
        return hold().isHeld();
    }

    /** How long it will still be a member if the cell confirms nothing more; zero if it is none. */
    public Duration remaining() {
        return hold().remaining();
    }

    /**
     * Returns if it is a member right now.
     *
     * @throws JeopardyException if the local lease is over or in doubt; the membership may come back
     * @throws HoldLostException if it is gone for good, or was left
     */
    public void ensureMember() {
        hold().ensureHeld();
    }

    /**
     * Changes what others read of this member. It joins anew with the value, then leaves its old place: others see the old value, for a
     * moment perhaps both, then the new one, never none; when this returns, the old place is left, unless the cell did not answer that in
     * time (it is repeated in the background then). It is last in the order of joining then.
     *
     * @throws HoldLostException if the membership was lost or left before or meanwhile; then it is not a member, also not with the new
     *     value
     * @throws RefusedException with {@link ErrorCode#WRONG_KIND} if somebody waits for an exclusive lock at this path; the old value stays
     * @throws UnreachableException if no leader answers within the call timeout; the old value stays
     */
    public void update(String newValue) {
        ensureThere();
        LockHold next = group.taker(newValue).tryTake().orElseThrow(group::inUse);
        var unused =
                Uninterrupted.get(replace(next, newValue)); // whether it was answered says nothing about the new place
    }

    /** The twin of {@link #update}; cancelling it before the cell has answered leaves the old value. */
    public CompletableFuture<Void> updateAsync(String newValue) {
        ensureThere();
        CompletableFuture<Void> updated = new CompletableFuture<>();
        CompletableFuture<Optional<LockHold>> asked = group.taker(newValue).tryTakeAsync();
        var unused = asked.whenComplete((found, problem) -> {
            if (problem != null) {
                updated.completeExceptionally(problem);
            } else if (found.isEmpty()) {
                updated.completeExceptionally(group.inUse());
            } else if (updated.isDone()) {
                var unusedRelease = found.get().begin(); // nobody wants it any more (R4.4)
            } else {
                finish(updated, () -> replace(found.get(), newValue));
            }
        });
        var unusedCancelling = updated.whenComplete((done, problem) -> asked.cancel(true));
        return updated;
    }

    /** @param last begins to leave the old place; whether that is answered says nothing about the new one */
    private void finish(CompletableFuture<Void> future, Supplier<CompletableFuture<Boolean>> last) {
        try {
            var unused = last.get().whenComplete((left, problem) -> group.execute(() -> future.complete(null)));
        } catch (RuntimeException failed) {
            future.completeExceptionally(failed);
        }
    }

    /** Completed when the old place is left, or after the call timeout; never fails. */
    private CompletableFuture<Boolean> replace(LockHold next, String newValue) {
        LockHold old = null;
        next.onLost(this::lost); // before anybody can rely on it
        synchronized (this) {
            if (!left && lostReason == null) {
                old = hold;
                hold = next;
                value = newValue;
            }
        }
        if (old == null) {
            var unused = next.begin(); // nobody wants it any more (R4.4)
            ensureThere();
            throw new IllegalStateException("broken invariant: replaced nothing and is there");
        }
        String already = next.lostReason();
        if (already != null) {
            group.execute(() -> lost(next, already));
        }
        return old.beginWithin();
    }

    private synchronized void ensureThere() {
        if (left || lostReason != null) {
            throw new HoldLostException(this + (left ? " was left" : " is lost: " + lostReason) + "; join again");
        }
    }

    /**
     * How much time is left to stop serving after an operator broke this membership's place or expired its session, as {@link
     * LockHold#stopWithin}. Zero for a membership that was lost in any other way, and for one that is not lost.
     */
    public Duration stopWithin() {
        return hold().stopWithin();
    }

    /**
     * Tells once, on the callback executor, if the membership is lost for good; at once if it is already. When an operator ended it,
     * it is listed until the listener has returned or {@link #stopWithin} is over.
     */
    public Subscription onLost(LostListener listener) {
        Objects.requireNonNull(listener, "listener");
        String already;
        synchronized (this) {
            already = lostReason;
            if (already == null) {
                listeners.add(listener);
            }
        }
        if (already != null) {
            group.execute(() -> listener.lost(this, already));
        }
        return () -> {
            synchronized (this) {
                listeners.remove(listener);
            }
        };
    }

    /** Called on the callback executor. */
    private void lost(LockHold which, String reason) {
        List<LostListener> told;
        synchronized (this) {
            if (which != hold || lostReason != null) {
                return;
            }
            lostReason = reason;
            told = List.copyOf(listeners);
            listeners.clear();
        }
        told.forEach(listener -> group.guarded(() -> listener.lost(this, reason)));
    }

    /** Leaves and waits for the answer; blocks, answers and throws as {@link LockHold#release} does. */
    public boolean leave() {
        return leaving().release();
    }

    /** The non-blocking twin of {@link #leave}. */
    public CompletableFuture<Boolean> leaveAsync() {
        return leaving().releaseAsync();
    }

    private synchronized LockHold leaving() {
        left = true;
        return hold;
    }

    /** {@link #leave} that never throws: an unanswered one goes on in the background. */
    @Override
    public void close() {
        leaving().close();
    }

    @Override
    public String toString() {
        return "membership of " + path() + " with token " + token();
    }
}
