package io.holdfast.client;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.NodePath;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A double barrier by its path: so many members begin together and end together. {@link #enter} returns when so many have come;
 * {@link BarrierPass#leave} when all of them want to leave, or are gone. It can be used again and again: whoever comes next is in the next
 * round. Immutable and cheap.
 *
 * <p>If a member dies before all others know that the round is complete, they may disagree about it: some begin, the others wait for one
 * more. If it dies later, nobody waits for it at the exit.
 *
 * <p><b>Thread:</b> any. The session is opened by the first enter.
 *
 * <p><b>Source:</b> ADR 0012; {@link BarrierState} has the rule.
 */
public final class DoubleBarrier {
    /** Most members of a round: all of them, twice, are read in one page. */
    public static final int MAX_MEMBERS = 100;

    /** Where the members of a round come in, and where those stand who want to leave. */
    static final String IN = "in";

    static final String OUT = "out";

    private final CallDesk desk;
    private final NodePath path;
    private final Group entrance;
    private final Group exit;
    private final int members;

    DoubleBarrier(CallDesk desk, HoldRegistry registry, NodePath path, int members) {
        if (members < 1 || members > MAX_MEMBERS) {
            throw new RefusedException(
                    ErrorCode.INVALID,
                    "a barrier for " + members + " members is out of range: 1 to " + MAX_MEMBERS + " are allowed");
        }
        this.desk = desk;
        this.path = path;
        this.members = members;
        if (path.isRoot()) {
            throw new RefusedException(ErrorCode.INVALID, "the root '/' cannot be a double barrier");
        }
        this.entrance = new Group(desk, registry, Failures.checked(() -> path.child(IN)));
        this.exit = new Group(desk, registry, Failures.checked(() -> path.child(OUT)));
    }

    public String path() {
        return path.value();
    }

    public int members() {
        return members;
    }

    /**
     * Waits until so many have come, without bound.
     *
     * @throws InterruptedException if interrupted; this member is gone again
     * @throws HoldLostException if the session ended meanwhile
     */
    public BarrierPass enter() throws InterruptedException {
        return enter(Long.MAX_VALUE)
                .orElseThrow(() -> new IllegalStateException("broken invariant: a wait without bound has ended"));
    }

    /**
     * Waits for at most so long. A member that gives up may have been counted by others at that very moment; they do not wait for it at
     * the exit.
     *
     * @return empty if not so many came; this member is gone again
     * @throws InterruptedException if interrupted; this member is gone again
     */
    public Optional<BarrierPass> enter(Duration maxWait) throws InterruptedException {
        return enter(Durations.waitNanos(maxWait));
    }

    /** The twin of {@link #enter()}; cancelling it ends the waiting, and this member is gone again. */
    public CompletableFuture<BarrierPass> enterAsync() {
        return new BarrierEntry<>(this, Long.MAX_VALUE, found -> found.orElseThrow()).begin();
    }

    /** The twin of {@link #enter(Duration)}; cancelling it ends the waiting, and this member is gone again. */
    public CompletableFuture<Optional<BarrierPass>> enterAsync(Duration maxWait) {
        return new BarrierEntry<>(this, Durations.waitNanos(maxWait), found -> found).begin();
    }

    private Optional<BarrierPass> enter(long waitNanos) throws InterruptedException {
        Membership me = entrance.joinInterruptibly("");
        try (BarrierWatch watch = watch()) {
            Optional<List<Long>> found = BarrierWatch.get(roundOf(me, watch), waitNanos);
            if (found.isPresent()) {
                return Optional.of(new BarrierPass(this, me, found.get()));
            }
        } catch (InterruptedException | RuntimeException e) {
            var unused = me.leaveAsync();
            throw e;
        }
        me.close();
        return Optional.empty();
    }

    /** Completed with the round of a member when it is complete. */
    CompletableFuture<List<Long>> roundOf(Membership me, BarrierWatch watch) {
        long number = me.token().value();
        return watch.await(state -> state.roundOf(number, members), me);
    }

    Group entrance() {
        return entrance;
    }

    Group exit() {
        return exit;
    }

    BarrierWatch watch() {
        return new BarrierWatch(desk, path);
    }

    /** For the steps of calls that do not block. */
    void execute(Runnable step) {
        desk.callbacks.execute(step);
    }

    void checkMayBlock() {
        desk.checkMayBlock();
    }

    @Override
    public String toString() {
        return "double barrier " + path + " of " + members;
    }
}
