package io.holdfast.chaos.frozen;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.FencingToken;
import io.holdfast.model.NodePath;
import io.holdfast.model.Outcome;
import org.junit.jupiter.api.Test;

final class ConfirmationLedgerTest {
    private static final NodePath HELD = new NodePath("/held");
    private static final NodePath FREE = new NodePath("/free");

    private final ConfirmationLedger ledger = new ConfirmationLedger(HELD);

    @Test
    void aKeepAliveOfBeforeMayBeConfirmedLate() {
        long sent = ledger.keepAlive();
        ledger.enter(Phase.AWAKE);
        assertThat(ledger.acknowledged(sent, true)).isEmpty();
    }

    @Test
    void oneThatWasSentToTheStoppedLeaderMayBeRefusedButNotConfirmed() {
        ledger.enter(Phase.FROZEN);
        long refused = ledger.keepAlive();
        long confirmed = ledger.keepAlive();
        ledger.enter(Phase.AWAKE);
        assertThat(ledger.acknowledged(refused, false)).isEmpty();
        assertThat(ledger.acknowledged(confirmed, true))
                .hasValueSatisfying(wrong -> assertThat(wrong).contains("FROZEN"));
        assertThat(ledger.keepAlivesAsked()).isEqualTo(2);
    }

    @Test
    void theHeldLockMustNotBeGranted() {
        NodePath place = HELD.child("x-1");
        Outcome granted = new Outcome.Placed(place, new FencingToken(1), true, true);
        assertThat(ledger.answered(ledger.change(HELD), granted)).isPresent();
        assertThat(ledger.answered(ledger.change(HELD), new Outcome.NotAcquired(HELD, new FencingToken(2))))
                .isEmpty();
    }

    @Test
    void whatIsConfirmedIsRemembered() {
        ledger.enter(Phase.FROZEN);
        long put = ledger.change(FREE);
        ledger.answered(put, new Outcome.Written(FREE, 0, 5, true));
        ledger.answered(put, new Outcome.Written(FREE, 0, 5, true));
        NodePath place = FREE.child("x-6");
        ledger.answered(ledger.change(FREE), new Outcome.Placed(place, new FencingToken(6), true, true));
        ledger.answered(ledger.change(FREE), new Outcome.Placed(place, new FencingToken(7), false, true));
        assertThat(ledger.confirmed())
                .containsExactly(
                        new ConfirmationLedger.Confirmed(Phase.FROZEN, FREE, 5),
                        new ConfirmationLedger.Confirmed(Phase.FROZEN, place, 6));
    }
}
