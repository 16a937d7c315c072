package io.holdfast.chaos.frozen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReadLedgerTest {
    private final NewestValue newest = new NewestValue();
    private final ReadLedger ledger = new ReadLedger(newest);

    @Test
    void aReadThatAnswersLessThanWasAcknowledgedBeforeItBeganIsStale() {
        newest.seen(7);
        ledger.enter(Phase.FROZEN);
        ledger.answered(ledger.ask(), 6);
        assertThat(ledger.tally(Phase.FROZEN).stale()).isEqualTo(1);
        assertThat(ledger.staleExample(Phase.FROZEN)).contains("6").contains("7");
    }

    @Test
    void whatIsAcknowledgedWhileAReadRunsDoesNotBindIt() {
        newest.seen(7);
        long id = ledger.ask();
        newest.seen(9);
        ledger.answered(id, 7);
        assertThat(ledger.tally(Phase.BEFORE).stale()).isZero();
    }

    @Test
    void aReadMustNotGoBackBehindAnEarlierOne() {
        newest.seen(3);
        ledger.answered(ledger.ask(), 5);
        ledger.answered(ledger.ask(), 4);
        assertThat(ledger.tally(Phase.BEFORE).stale()).isEqualTo(1);
    }

    @Test
    void eachReadCountsOnceInThePhaseInWhichItWasSent() {
        long before = ledger.ask();
        ledger.enter(Phase.FROZEN);
        long frozen = ledger.ask();
        long refused = ledger.ask();
        ledger.ask();
        ledger.enter(Phase.AWAKE);
        ledger.answered(before, 0);
        ledger.answered(frozen, 0);
        ledger.answered(frozen, 0);
        ledger.refused(refused);
        ledger.refused(refused);
        assertThat(ledger.tally(Phase.BEFORE)).isEqualTo(new ReadLedger.Tally(1, 1, 1, 0, 0, 0));
        assertThat(ledger.tally(Phase.FROZEN)).isEqualTo(new ReadLedger.Tally(3, 1, 1, 1, 1, 0));
        assertThat(ledger.tally(Phase.AWAKE)).isEqualTo(ReadLedger.Tally.NONE);
    }
}
