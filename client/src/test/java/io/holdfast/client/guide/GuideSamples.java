package io.holdfast.client.guide;

import io.holdfast.client.BadVersionException;
import io.holdfast.client.BarrierPass;
import io.holdfast.client.BatchRefusedException;
import io.holdfast.client.ChildrenPage;
import io.holdfast.client.DoubleBarrier;
import io.holdfast.client.Group;
import io.holdfast.client.HoldLostException;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.JeopardyException;
import io.holdfast.client.Leader;
import io.holdfast.client.Leadership;
import io.holdfast.client.LeaseHold;
import io.holdfast.client.LockHold;
import io.holdfast.client.LockRecipe;
import io.holdfast.client.LockView;
import io.holdfast.client.Member;
import io.holdfast.client.Membership;
import io.holdfast.client.MultiHold;
import io.holdfast.client.Permit;
import io.holdfast.client.PutResult;
import io.holdfast.client.ReadWriteLockView;
import io.holdfast.client.SemaphoreRecipe;
import io.holdfast.client.SessionExpiredException;
import io.holdfast.client.Subscription;
import io.holdfast.client.UnknownOutcomeException;
import io.holdfast.client.UnreachableException;
import io.holdfast.client.Value;
import io.holdfast.client.WatchListener;
import io.holdfast.client.Watched;
import io.holdfast.client.session.SessionState;
import io.holdfast.fencing.FencingGuard;
import io.holdfast.fencing.Grant;
import io.holdfast.model.FencingToken;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The code of {@code docs/client-guide.md}: what stands between {@code // [name]} and {@code // [end]} is the block of that name there.
 * {@link GuideTest} compares the two; the compiler checks the rest.
 */
@SuppressWarnings({"unused", "UnusedVariable"})
abstract class GuideSamples {
    /** What an application has; nothing of it is Holdfast's. */
    interface Work {
        boolean isLeft();

        void step(FencingToken token);

        void stop();
    }

    abstract void routeTo(String address);

    abstract void transfer(FencingToken from, FencingToken to);

    /** Guarded accounts; nothing of it is Holdfast's. */
    interface Accounts {
        void update(int number, FencingToken token);
    }

    void connect() {
        // [connect]
        HoldfastClient client = HoldfastClient.builder()
                .endpoints("10.0.0.1:7420,10.0.0.2:7420,10.0.0.3:7420")
                .clientName("indexer@host7")
                .sessionLease(Duration.ofSeconds(12))
                .callTimeout(Duration.ofSeconds(10))
                .build();
        // [end]
    }

    void executor() {
        // [executor]
        ExecutorService callbacks = Executors.newCachedThreadPool(); // a thread for each that blocks
        HoldfastClient client = HoldfastClient.builder()
                .endpoints("10.0.0.1:7420,10.0.0.2:7420,10.0.0.3:7420")
                .callbackExecutor(callbacks)
                .build();
        // when the application ends: client.close(), then callbacks.shutdown()
        // [end]
    }

    void states(HoldfastClient client, Work work) {
        // [states]
        client.onState(change -> {
            if (change.state() == SessionState.JEOPARDY) {
                work.stop(); // nothing counts as held until it is SAFE again
            } else if (change.state() == SessionState.EXPIRED) {
                client.newSession(); // all handles of before are dead: take everything anew
            }
        });
        // [end]
    }

    void lock(HoldfastClient client, Work work) throws InterruptedException {
        // [lock]
        try (LockHold hold = client.lock("/jobs/reindex").acquire()) {
            while (work.isLeft()) {
                hold.ensureHeld(); // throws in jeopardy and after a loss
                work.step(hold.token()); // the resource refuses a lower token
            }
        }
        // [end]
    }

    void tryLock(HoldfastClient client, Work work) throws InterruptedException {
        // [try]
        LockRecipe lock = client.lock("/jobs/reindex");
        Optional<LockHold> now = lock.tryAcquire();
        Optional<LockHold> soon = lock.acquire(Duration.ofSeconds(5));
        CompletableFuture<LockHold> later = lock.acquireAsync(); // cancelling it removes the waiter
        LockHold reading = lock.shared().acquire();
        // [end]
    }

    void lost(LockHold hold, Work work) {
        // [lost]
        hold.onLost((lost, reason) -> work.stop());
        // [end]
    }

    void view(HoldfastClient client, Work work) {
        // [view]
        LockView lock = client.lock("/jobs/reindex").asLock();
        lock.lock();
        try {
            work.step(lock.hold().token());
        } finally {
            lock.unlock(); // throws if the lock was not held until here
        }
        // [end]
    }

    void readWrite(HoldfastClient client, Work work) {
        // [read-write]
        ReadWriteLockView archive = client.lock("/data/archive").asReadWriteLock();
        archive.readLock().lock(); // beside other readers, in order of arrival
        try {
            work.step(archive.readLock().hold().token());
        } finally {
            archive.readLock().unlock();
        }
        // [end]
    }

    void several(HoldfastClient client) throws InterruptedException {
        // [several]
        try (MultiHold both = client.locks(client.lock("/accounts/7"), client.lock("/accounts/3"))
                .acquire()) {
            both.ensureHeld();
            transfer(both.token("/accounts/7"), both.token("/accounts/3")); // one token per lock
        }
        // [end]
    }

    void semaphore(HoldfastClient client, Work work) throws InterruptedException {
        // [semaphore]
        SemaphoreRecipe downloads = client.semaphore("/limits/downloads", 20);
        try (Permit permit = downloads.acquire()) {
            permit.ensureHeld();
            work.step(permit.token()); // names the permit; it is no fence
        }
        // [end]
    }

    void campaign(HoldfastClient client, FencingGuard guard, Work work) throws InterruptedException {
        // [campaign]
        try (Leadership lead = client.election("/services/indexer").campaign("10.0.0.7:9000")) {
            guard.raise(Grant.exclusive(lead.path(), lead.token().value())); // first, before any state is read
            while (work.isLeft()) {
                lead.ensureLeader();
                work.step(lead.token());
            }
        }
        // [end]
    }

    void leader(HoldfastClient client) {
        // [leader]
        Optional<Leader> leader = client.election("/services/indexer").leader();
        leader.ifPresent(found -> routeTo(found.value()));
        // [end]
    }

    void group(HoldfastClient client) {
        // [group]
        Group group = client.group("/services/api");
        Membership me = group.join("10.0.0.7:8080");
        me.onLost((lost, reason) -> routeTo("nobody")); // join again if the service is still to be found
        List<Member> members = group.members(); // in the order in which they joined
        me.update("10.0.0.7:8081");
        me.leave();
        // [end]
    }

    void observe(HoldfastClient client) {
        // [observe]
        Subscription following = client.election("/services/indexer").observe(new WatchListener<Optional<Leader>>() {
            @Override
            public void onState(Optional<Leader> leader) {
                routeTo(leader.map(Leader::value).orElse("nobody"));
            }

            @Override
            public void onUnsure(String reason) {
                routeTo("whoever it was, until it is certain again");
            }
        });
        // [end]
    }

    void barrier(HoldfastClient client, Work work) throws InterruptedException {
        // [barrier]
        DoubleBarrier barrier = client.doubleBarrier("/jobs/step-7", 3);
        try (BarrierPass pass = barrier.enter()) { // three have come
            pass.ensureInside();
            work.stop();
            pass.leave(); // all three want to leave, or are gone
        }
        // [end]
    }

    void values(HoldfastClient client, byte[] changed) {
        // [values]
        Value flag = client.values().get("/config/flag").orElseThrow();
        try {
            client.values().put("/config/flag", changed, flag.version());
        } catch (BadVersionException overtaken) {
            // somebody else wrote meanwhile: read again, decide again
        }
        // [end]
    }

    void createAndList(HoldfastClient client, byte[] first) {
        // [create]
        try {
            PutResult made = client.values().create("/config/flag", first); // version 0, only if there is none
            client.values().delete("/config/flag", made.version()); // only if nobody changed it
        } catch (BadVersionException different) {
            // there is one already, or it was changed: read, decide again
        }
        List<String> names = client.values().list("/config"); // of the children, in name order, however many
        ChildrenPage page = client.values().list("/config", "", 100); // the first hundred, and whether there are more
        // [end]
    }

    void batch(HoldfastClient client, byte[] host, byte[] port, long version) {
        // [batch]
        try {
            client.values()
                    .batch()
                    .check("/config/schema", version) // nobody has changed it
                    .put("/config/host", host)
                    .put("/config/port", port)
                    .commit();
        } catch (BatchRefusedException refused) {
            // nothing was done; refused.item() is the one because of which
        }
        // [end]
    }

    void watch(HoldfastClient client) {
        // [watch]
        Watched<Optional<Value>> flag =
                client.values().getAndWatch("/config/flag", event -> routeTo("read it, and watch, again"));
        routeTo(flag.state().map(Value::text).orElse("default"));
        flag.close(); // nobody wants to hear of it any more
        // [end]
    }

    void listen(HoldfastClient client) {
        // [listen]
        Subscription following = client.values().listen("/config/flag", new WatchListener<Optional<Value>>() {
            @Override
            public void onState(Optional<Value> flag) {
                routeTo(flag.map(Value::text).orElse("default")); // the present one first, then each newer one
            }

            @Override
            public void onUnsure(String reason) {
                routeTo("what it was, but it may be old");
            }

            @Override
            public void onEnded(HoldfastException reason) {
                routeTo("default"); // nothing more comes: newSession(), and listen again
            }
        });
        // [end]
    }

    void errors(HoldfastClient client, Work work) throws InterruptedException {
        // [errors]
        try (LockHold hold = client.lock("/jobs/reindex").acquire()) {
            hold.ensureHeld();
            work.step(hold.token());
        } catch (JeopardyException | HoldLostException stop) {
            // stop the work; it may be another's now
        } catch (SessionExpiredException over) {
            client.newSession();
        } catch (UnreachableException later) {
            // no leader answered; nothing is held, and it may be tried again
        } catch (UnknownOutcomeException look) {
            // a write may or may not have been done: read before repeating it
        } catch (HoldfastException other) {
            // refused: the message says why, code() is stable
        }
        // [end]
    }

    void leased(HoldfastClient client, Accounts accounts) throws InterruptedException {
        // [leased]
        try (LeaseHold lease = client.leases().acquire("account/42", "worker-7")) { // asks again until it is free
            accounts.update(42, lease.token()); // the resource refuses a lower token
            lease.ensureHeld(); // throws when it is lost or in doubt
        }
        Optional<LeaseHold> now = client.leases().lease(Duration.ofSeconds(30)).tryAcquire("account/42", "worker-7");
        // [end]
    }
}
