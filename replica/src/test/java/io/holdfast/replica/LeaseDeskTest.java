package io.holdfast.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cell.lease.LeaseRecord;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.LeaseOwner;
import io.holdfast.model.Limits;
import io.holdfast.model.Outcome;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import io.holdfast.protocol.frame.UpstreamFrame;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Leased locks at the leader: R2.6, R2.8, R7.1–R7.3. */
class LeaseDeskTest {
    private static final long MILLI = TestCluster.MILLI;
    private static final LeaseName NAME = new LeaseName("account/42");

    private final TestCluster cluster = TestCluster.started(3);
    private TestReplica leader = cluster.leader();
    private final AtomicLong calls = new AtomicLong();

    /** A caller on a stream of its own, without a session. */
    private final class Caller {
        private final LeaseOwner owner;
        private final TestSession stream;

        Caller(String owner, long stream) {
            this.owner = new LeaseOwner(owner);
            this.stream = new TestSession(cluster, leader, 1, stream);
        }

        void send(LeaseCall call) {
            stream.send(new ClientFrame.Lease(calls.incrementAndGet(), call));
        }

        LeaseOutcome answer() {
            ServerFrame.Reply reply = stream.one(ServerFrame.Reply.class);
            return ((Outcome.OfLease) reply.outcome()).lease();
        }

        LeaseOutcome call(LeaseCall call) {
            send(call);
            return answer();
        }

        LeaseCall.Acquire acquiring(String requestId) {
            return new LeaseCall.Acquire(NAME, owner, 10_000, requestId);
        }

        FencingToken acquire() {
            return ((LeaseOutcome.Granted) call(acquiring(""))).token();
        }

        LeaseCall.Renew renewing(FencingToken token) {
            return new LeaseCall.Renew(NAME, owner, token);
        }

        LeaseOutcome renew(FencingToken token) {
            return call(renewing(token));
        }

        LeaseOutcome release(FencingToken token) {
            return call(new LeaseCall.Release(NAME, owner, token));
        }
    }

    private final Caller a = new Caller("a", 1);
    private final Caller b = new Caller("b", 2);

    @Test
    void aLockIsGrantedRenewedRefusedAndReleased() {
        LeaseOutcome.Granted granted = (LeaseOutcome.Granted) a.call(a.acquiring(""));
        assertThat(granted.remainingMillis()).isEqualTo(10_000);
        cluster.runFor(3_000 * MILLI);
        LeaseOutcome.Held held = (LeaseOutcome.Held) b.call(b.acquiring(""));
        assertThat(held.owner()).isEqualTo(a.owner);
        assertThat(held.retryAfterMillis()).isBetween(0L, 10_000L);
        LeaseOutcome.Found found = (LeaseOutcome.Found) b.call(new LeaseCall.Inspect(NAME));
        assertThat(found.owner()).isEqualTo(a.owner);
        assertThat(found.token()).isEqualTo(granted.token());
        assertThat(found.remainingMillis()).isBetween(6_500L, 7_000L);
        assertThat(a.renew(granted.token())).isEqualTo(new LeaseOutcome.Renewed(10_000));
        assertThat(b.renew(granted.token())).isInstanceOf(LeaseOutcome.Lost.class);
        assertThat(a.renew(new FencingToken(99))).isInstanceOf(LeaseOutcome.Lost.class);
        assertThat(a.release(granted.token())).isEqualTo(new LeaseOutcome.Released());
        assertThat(a.release(granted.token())).isEqualTo(new LeaseOutcome.Released());
        assertThat(b.acquire()).isGreaterThan(granted.token());
        assertThat(a.release(granted.token())).isEqualTo(new LeaseOutcome.Released()); // a no-op
        assertThat(((LeaseOutcome.Found) a.call(new LeaseCall.Inspect(NAME))).owner())
                .isEqualTo(b.owner);
        assertThat(a.call(new LeaseCall.Inspect(new LeaseName("other")))).isEqualTo(new LeaseOutcome.Free());
    }

    /**
     * R7.3: a release that a majority has on disk is done, also while the leader's own disk is the last one to have it; the next
     * leader may grant the lock to another at once, so the hold must not be renewed by a state that does not know.
     */
    @Test
    void aRenewalBehindACommittedReleaseIsLostThoughTheLeadersDiskIsSlow() {
        FencingToken token = a.acquire();
        leader.log.held = true;
        a.send(new LeaseCall.Release(NAME, a.owner, token));
        cluster.runFor(50 * MILLI);
        a.send(a.renewing(token));
        cluster.runFor(200 * MILLI);
        assertThat(a.stream.received()).isEmpty();
        leader.log.held = false;
        cluster.runFor(200 * MILLI);
        assertThat(a.stream.received())
                .extracting(frame -> ((Outcome.OfLease) ((ServerFrame.Reply) frame).outcome()).lease())
                .containsExactly(new LeaseOutcome.Released(), LeaseRecord.insteadOfIt(null));
    }

    /** R7.2, C45: the same grant, with a full lease; one release is enough. */
    @Test
    void aRepeatedAcquireIsTheSameGrantAndARenewal() {
        LeaseOutcome.Granted first = (LeaseOutcome.Granted) a.call(a.acquiring("r1"));
        cluster.runFor(8_000 * MILLI);
        assertThat(a.call(a.acquiring("r1"))).isEqualTo(first);
        cluster.runFor(8_000 * MILLI);
        assertThat(((LeaseOutcome.Found) b.call(new LeaseCall.Inspect(NAME))).remainingMillis())
                .isPositive();
        assertThat(a.call(a.acquiring("r2"))).isInstanceOf(LeaseOutcome.Held.class);
        a.release(first.token());
        assertThat(b.acquire()).isGreaterThan(first.token());
    }

    /** C78: not before the lease is over, and soon after. */
    @Test
    void aSilentHolderLosesItWhenItsLeaseIsOver() {
        FencingToken token = a.acquire();
        cluster.runFor(9_900 * MILLI);
        assertThat(b.call(b.acquiring(""))).isInstanceOf(LeaseOutcome.Held.class);
        cluster.runFor(200 * MILLI);
        assertThat(b.acquire()).isGreaterThan(token);
        assertThat(a.renew(token)).isInstanceOf(LeaseOutcome.Lost.class);
        assertThat(a.release(token)).isInstanceOf(LeaseOutcome.Lost.class); // it was not given back
    }

    /** C25: whatever order messages arrive in. */
    @Test
    void aRenewalBehindTheReleaseRevivesNothing() {
        FencingToken token = a.acquire();
        a.send(new LeaseCall.Release(NAME, a.owner, token));
        a.send(a.renewing(token));
        List<ServerFrame> answers = a.stream.received();
        assertThat(answers).hasSize(2);
        assertThat(b.acquire()).isGreaterThan(token);
        assertThat(a.renew(token)).isInstanceOf(LeaseOutcome.Lost.class);
    }

    /** R7.1: judged when confirming. The renewal came in time, its check ends when the lease is over. */
    @Test
    void aRenewalWhoseCheckEndsTooLateIsLostOnceTheLogSaysSo() {
        FencingToken token = a.acquire();
        cluster.runFor(9_500 * MILLI);
        cluster.networkHeld = true;
        a.send(a.renewing(token));
        b.send(b.acquiring(""));
        cluster.runFor(700 * MILLI);
        assertThat(a.stream.received()).isEmpty();
        cluster.networkHeld = false;
        assertThat(a.answer()).isInstanceOf(LeaseOutcome.Lost.class);
        assertThat(((LeaseOutcome.Granted) b.answer()).token()).isGreaterThan(token);
    }

    /** Also the repeat of the acquire that made it is too late then; it is a new grant. */
    @Test
    void aRepeatThatFindsItsHoldExpiringIsANewGrant() {
        LeaseOutcome.Granted first = (LeaseOutcome.Granted) a.call(a.acquiring("r"));
        cluster.runFor(9_500 * MILLI);
        cluster.networkHeld = true;
        a.send(a.acquiring("r"));
        cluster.runFor(700 * MILLI);
        cluster.networkHeld = false;
        LeaseOutcome.Granted again = (LeaseOutcome.Granted) a.answer();
        assertThat(again.token()).isGreaterThan(first.token());
        assertThat(again.remainingMillis()).isEqualTo(10_000);
    }

    /** R2.6, R7.3: who was deposed without knowing it answers nothing. */
    @Test
    void aLeaderThatIsCutOffConfirmsAndRefusesNothing() {
        FencingToken token = a.acquire();
        cluster.isolated.add(leader.name());
        a.send(a.renewing(token));
        a.send(new LeaseCall.Inspect(NAME));
        a.send(a.renewing(new FencingToken(99)));
        b.send(b.acquiring(""));
        cluster.runFor(5_000 * MILLI);
        for (ServerFrame frame : a.stream.received()) {
            assertThat(frame)
                    .isInstanceOfSatisfying(
                            ServerFrame.Refused.class,
                            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.UNAVAILABLE));
        }
        for (ServerFrame frame : b.stream.received()) {
            assertThat(frame).isInstanceOf(ServerFrame.Refused.class);
        }
    }

    /** R7.1, R3.3: full from takeover. */
    @Test
    void aNewLeaderGivesAFullLeaseAndKeepsTheHold() {
        FencingToken token = a.acquire();
        cluster.runFor(8_000 * MILLI);
        cluster.crash(leader);
        leader = cluster.leader();
        Caller again = new Caller("a", 1);
        Caller other = new Caller("b", 2);
        cluster.runFor(9_000 * MILLI);
        assertThat(other.call(other.acquiring(""))).isInstanceOf(LeaseOutcome.Held.class);
        assertThat(again.renew(token)).isEqualTo(new LeaseOutcome.Renewed(10_000));
        cluster.runFor(9_900 * MILLI);
        assertThat(other.call(other.acquiring(""))).isInstanceOf(LeaseOutcome.Held.class);
        cluster.runFor(200 * MILLI);
        assertThat(other.acquire()).isGreaterThan(token);
    }

    /** R8.4: what ends at once is spread over entries that fit into a message, whatever the names are. */
    @Test
    void manyLongNamesThatEndAtOnceMakeNoEntryTooLarge() {
        int count = 5_000;
        for (int i = 0; i < count; i++) {
            LeaseName name = new LeaseName("x".repeat(500) + i);
            a.send(new LeaseCall.Acquire(name, a.owner, 10_000, ""));
        }
        assertThat(a.stream.received()).hasSize(count);
        cluster.crash(leader);
        leader = cluster.leader();
        cluster.runFor(10_500 * MILLI);
        assertThat(leader.loop.machine(TestReplica.CELL).leases()).isEmpty();
        for (TestReplica replica : cluster.replicas) {
            assertThat(replica.log.recovered().get(TestReplica.CELL).entries())
                    .allMatch(entry -> entry.data().length <= Limits.MAX_BATCH_BYTES);
        }
    }

    /** A caller that has gone is not granted anything that would only block others. */
    @Test
    void whoIsGoneWhenTheHoldEndsIsNotServed() {
        a.acquire();
        cluster.runFor(9_500 * MILLI);
        cluster.networkHeld = true;
        b.send(b.acquiring(""));
        cluster.runFor(700 * MILLI);
        leader.loop.offer(new LoopInput.FromUpstream(1, new UpstreamFrame.StreamClosed(2)));
        cluster.networkHeld = false;
        cluster.runFor(100 * MILLI);
        assertThat(a.call(new LeaseCall.Inspect(NAME))).isEqualTo(new LeaseOutcome.Free());
    }
}
