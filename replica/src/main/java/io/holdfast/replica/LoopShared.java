package io.holdfast.replica;

import io.holdfast.replica.LoopInput.Internal;

/**
 * What all cells of a loop share.
 *
 * <p><b>Thread:</b> the loop, but for {@link #post}, which any thread may call.
 */
final class LoopShared {
    private final ReplicaSettings settings;
    private final ReplicaSeams seams;
    private final Mailbox mailbox;
    private final Notices notices;
    private final PeerOutbox outbox;
    private final ReplicaMeter meter;
    private final StartMark startMark;
    private final PeerContacts contacts = new PeerContacts();
    /** Of the deployment. */
    private final int shards;

    private boolean refusesLeads;
    private long nowNanos = Long.MIN_VALUE;

    /**
     * @param started whether an earlier life recorded that it takes part
     * @param shards of the deployment
     */
    LoopShared(ReplicaSettings settings, ReplicaSeams seams, Mailbox mailbox, boolean started, int shards) {
        this.settings = settings;
        this.seams = seams;
        this.mailbox = mailbox;
        this.shards = shards;
        this.notices = new Notices(seams.listener());
        this.meter = seams.listener().meter();
        this.outbox = new PeerOutbox(settings.self(), seams.peers(), shards);
        this.startMark = new StartMark(seams.identity(), started, this::post);
    }

    ReplicaSettings settings() {
        return settings;
    }

    ReplicaSeams seams() {
        return seams;
    }

    Notices notices() {
        return notices;
    }

    ReplicaMeter meter() {
        return meter;
    }

    PeerOutbox outbox() {
        return outbox;
    }

    StartMark startMark() {
        return startMark;
    }

    /** How many shards the deployment has. */
    int shards() {
        return shards;
    }

    /** Whether this replica wants no lead. */
    boolean refusesLeads() {
        return refusesLeads;
    }

    void refuseLeads(boolean refuses) {
        refusesLeads = refuses;
    }

    PeerContacts contacts() {
        return contacts;
    }

    /** The time of this turn: read after everything that the turn handles had arrived. */
    long now() {
        return nowNanos;
    }

    /** A clock value lower than before counts as the one before. */
    void advanceTo(long nanos) {
        nowNanos = Math.max(nowNanos, nanos);
    }

    /** Brings an action back to the loop; any thread. */
    void post(Runnable action) {
        mailbox.offer(new Internal(action));
    }

    /** Runs something that blocks on the disk. What it throws ends the loop: our bug, or damaged data. */
    void onWorker(Runnable task) {
        seams.worker().submit(() -> {
            try {
                task.run();
            } catch (RuntimeException | Error broken) {
                post(() -> {
                    throw broken;
                });
            }
        });
    }
}
