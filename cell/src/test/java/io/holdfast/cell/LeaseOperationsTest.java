package io.holdfast.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOutcome;
import io.holdfast.model.LeaseOwner;
import io.holdfast.model.Limits;
import io.holdfast.model.Outcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R7.1–R7.3 in the state: one holder per name, repeats, releases by all three fields, what is remembered. */
final class LeaseOperationsTest {
    private TestCell cell = new TestCell();

    private static LeaseCall.Acquire acquiring(String name, String owner, String requestId) {
        return new LeaseCall.Acquire(new LeaseName(name), new LeaseOwner(owner), 10_000, requestId);
    }

    private LeaseOutcome lease(Command command) {
        LeaseOutcome outcome = ((Outcome.OfLease) cell.apply(command)).lease();
        cell.check();
        return outcome;
    }

    private LeaseOutcome acquire(String name, String owner, String requestId) {
        return lease(new Command.AcquireLease(acquiring(name, owner, requestId)));
    }

    private FencingToken granted(String name, String owner) {
        return ((LeaseOutcome.Granted) acquire(name, owner, "")).token();
    }

    private LeaseOutcome release(String name, String owner, long token) {
        return lease(new Command.ReleaseLease(
                new LeaseCall.Release(new LeaseName(name), new LeaseOwner(owner), new FencingToken(token))));
    }

    private Outcome expire(String name, FencingToken token, long term) {
        return cell.apply(new Command.ExpireLease(new LeaseName(name), token, term));
    }

    @Test
    void anotherAndTheSameOwnerAreRefusedUnlessTheRequestIsRepeated() {
        LeaseOutcome first = acquire("a", "x", "r1");
        long token = ((LeaseOutcome.Granted) first).token().value();
        assertThat(token).isEqualTo(cell.machine().revision());
        assertThat(cell.events())
                .containsExactly(new CellEvent.LeaseGranted(
                        new LeaseGrant(new LeaseName("a"), new FencingToken(token), 10_000)));
        assertThat(acquire("a", "x", "r1")).isEqualTo(first); // R2.7, R7.2
        assertThat(cell.events()).isEmpty();
        LeaseOutcome held = new LeaseOutcome.Held(new LeaseOwner("x"), 0);
        assertThat(acquire("a", "x", "r2")).isEqualTo(held);
        assertThat(acquire("a", "x", "")).isEqualTo(held);
        assertThat(acquire("a", "y", "r1")).isEqualTo(held);
        assertThat(cell.machine().revision()).isEqualTo(token);
        assertThat(cell.machine().leaseCount()).isEqualTo(1);
    }

    /** Without an id nothing can be a repeat. */
    @Test
    void anAcquireWithoutARequestIdIsNeverARepeat() {
        granted("a", "x");
        assertThat(acquire("a", "x", "")).isInstanceOf(LeaseOutcome.Held.class);
    }

    @Test
    void aReleaseNamesAllThreeFieldsAndMayBeRepeated() {
        long token = granted("a", "x").value();
        assertThat(release("a", "y", token)).isInstanceOf(LeaseOutcome.Lost.class);
        assertThat(release("a", "x", token + 1)).isInstanceOf(LeaseOutcome.Lost.class);
        assertThat(release("b", "x", token)).isInstanceOf(LeaseOutcome.Lost.class);
        assertThat(release("a", "x", token)).isEqualTo(new LeaseOutcome.Released());
        long revision = cell.machine().revision();
        assertThat(release("a", "x", token)).isEqualTo(new LeaseOutcome.Released());
        assertThat(release("a", "y", token)).isInstanceOf(LeaseOutcome.Lost.class);
        assertThat(cell.machine().revision()).isEqualTo(revision);
        long next = granted("a", "y").value();
        assertThat(next).isGreaterThan(token); // R2.3
        assertThat(release("a", "x", token)).isEqualTo(new LeaseOutcome.Released()); // a no-op: never a later hold
        assertThat(cell.machine().lease(new LeaseName("a")).token().value()).isEqualTo(next);
        cell.restart();
        assertThat(release("a", "x", token)).isEqualTo(new LeaseOutcome.Released());
    }

    @Test
    void anExpiryNamesItsTermAndItsHold() {
        FencingToken token = granted("a", "x");
        TestCell.assertFailed(expire("a", token, TestCell.TERM - 1), ErrorCode.UNAVAILABLE, "term"); // R2.5
        TestCell.assertFailed(expire("a", new FencingToken(99), TestCell.TERM), ErrorCode.NOT_FOUND);
        assertThat(cell.machine().leaseCount()).isEqualTo(1);
        expire("a", token, TestCell.TERM);
        assertThat(cell.events()).containsExactly(new CellEvent.LeaseEnded(new LeaseName("a"), token));
        assertThat(cell.machine().leaseCount()).isZero();
        assertThat(release("a", "x", token.value())).isInstanceOf(LeaseOutcome.Lost.class); // it was not given back
        FencingToken next = granted("a", "y");
        TestCell.assertFailed(expire("a", token, TestCell.TERM), ErrorCode.NOT_FOUND); // never a later hold
        assertThat(next).isGreaterThan(token);
    }

    @Test
    void anExpiryAndTheAcquireThatWantsTheNameAreOneEntry() {
        FencingToken token = granted("a", "x");
        var outcomes = cell.applyAll(
                new Command.ExpireLease(new LeaseName("a"), token, TestCell.TERM),
                new Command.AcquireLease(acquiring("a", "y", "")));
        assertThat(((Outcome.OfLease) outcomes.get(1)).lease()).isInstanceOf(LeaseOutcome.Granted.class);
    }

    /** C105: names have nothing to do with each other. */
    @Test
    void aThousandNamesAreFreedOneByOne() {
        Map<String, Long> tokens = new HashMap<>();
        for (int i = 0; i < 1_000; i++) {
            tokens.put("name/" + i, granted("name/" + i, "x").value());
        }
        tokens.forEach((name, token) -> {
            assertThat(release(name, "x", token)).isInstanceOf(LeaseOutcome.Released.class);
            granted(name, "y");
        });
        assertThat(cell.machine().leaseCount()).isEqualTo(1_000);
    }

    /** Names used once leave nothing behind but what is remembered of releases, and that is bounded. */
    @Test
    void namesThatAreFreeTakeNoRoom() {
        long before = cell.machine().stateBytes();
        for (int i = 0; i < 2_000; i++) {
            FencingToken token = ((LeaseOutcome.Granted)
                            ((Outcome.OfLease) cell.apply(new Command.AcquireLease(acquiring("n" + i, "x", ""))))
                                    .lease())
                    .token();
            expire("n" + i, token, TestCell.TERM);
        }
        assertThat(cell.machine().stateBytes()).isEqualTo(before);
        assertThat(TestCell.snapshotOf(cell.machine().freeze()).length)
                .isLessThan(TestCell.snapshotOf(new TestCell().machine().freeze()).length + 20);
    }

    @Test
    void onlySoManyReleasesAreRemembered() {
        FencingToken first = granted("first", "x");
        release("first", "x", first.value());
        FencingToken second = granted("second", "x");
        release("second", "x", second.value());
        long bytes = 0;
        for (int i = 1; i < Limits.MAX_FREED_LEASES; i++) {
            Command acquire = new Command.AcquireLease(acquiring("n", "o", ""));
            FencingToken token = new FencingToken(cell.machine().revision() + 1);
            Command release =
                    new Command.ReleaseLease(new LeaseCall.Release(new LeaseName("n"), new LeaseOwner("o"), token));
            cell.applyAll(acquire, release);
            bytes = Math.max(bytes, cell.machine().stateBytes());
        }
        assertThat(release("first", "x", first.value())).isInstanceOf(LeaseOutcome.Lost.class);
        assertThat(release("second", "x", second.value())).isInstanceOf(LeaseOutcome.Released.class);
        assertThat(bytes).isLessThan(10_000_000);
        cell.restart();
        cell.check();
        assertThat(release("second", "x", second.value())).isInstanceOf(LeaseOutcome.Released.class);
    }

    @Test
    void aFullStateRefusesAcquiresAndTakesReleases() {
        FencingToken token = granted("a", "x");
        CommandBatch full = new CommandBatch(
                TestCell.TERM, 0, "", 1, java.util.List.of(new Command.AcquireLease(acquiring("b", "x", ""))));
        Outcome refused = cell.machine()
                .apply(cell.machine().appliedIndex() + 1, TestCell.TERM, CommandCodec.encode(full))
                .outcomes()
                .get(0);
        TestCell.assertFailed(refused, ErrorCode.STATE_FULL);
        assertThat(release("a", "x", token.value())).isInstanceOf(LeaseOutcome.Released.class);
    }

    /** Against a slow version with plain maps. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aModelAgrees(long seed) {
        Random random = new Random(seed);
        Map<String, Long> tokens = new HashMap<>();
        Map<String, String> holders = new HashMap<>();
        Set<String> freed = new HashSet<>();
        for (int i = 0; i < 3_000; i++) {
            String name = "n" + random.nextInt(4);
            String owner = "o" + random.nextInt(2);
            String request = random.nextInt(3) == 0 ? "" : "r" + random.nextInt(2);
            long present = tokens.getOrDefault(name, 0L);
            long token =
                    random.nextInt(3) == 0 ? random.nextInt((int) cell.machine().revision() + 2) : present;
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    LeaseOutcome outcome = acquire(name, owner, request);
                    if (present == 0) {
                        tokens.put(name, cell.machine().revision());
                        holders.put(name, owner + "|" + request);
                    }
                    boolean mine = present == 0
                            || (!request.isEmpty() && holders.get(name).equals(owner + "|" + request));
                    assertThat(outcome)
                            .isEqualTo(
                                    mine
                                            ? new LeaseOutcome.Granted(new FencingToken(tokens.get(name)), 10_000)
                                            : new LeaseOutcome.Held(
                                                    new LeaseOwner(
                                                            holders.get(name).split("\\|")[0]),
                                                    0));
                }
                case 2 -> {
                    boolean held = present != 0
                            && present == token
                            && holders.get(name).startsWith(owner + "|");
                    boolean again = freed.contains(name + owner + token);
                    assertThat(release(name, owner, token) instanceof LeaseOutcome.Released)
                            .isEqualTo(held || again);
                    if (held) {
                        tokens.remove(name);
                        freed.add(name + owner + token);
                    }
                }
                default -> {
                    boolean ends = expire(name, new FencingToken(token), TestCell.TERM) instanceof Outcome.OfLease;
                    assertThat(ends).isEqualTo(present != 0 && present == token);
                    if (ends) {
                        tokens.remove(name);
                    }
                }
            }
            assertThat(cell.machine().leaseCount()).isEqualTo(tokens.size());
            if (i % 200 == 0) {
                byte[] before = TestCell.snapshotOf(cell.machine().freeze());
                cell.restart();
                assertThat(TestCell.snapshotOf(cell.machine().freeze())).isEqualTo(before);
                cell.check();
            }
        }
    }
}
