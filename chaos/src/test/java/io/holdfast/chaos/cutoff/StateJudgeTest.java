package io.holdfast.chaos.cutoff;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.chaos.history.History.Held;
import io.holdfast.chaos.history.History.Lost;
import io.holdfast.chaos.history.History.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StateJudgeTest {
    private static final long BEGIN = 1_000_000_000_000L;

    private final List<State> states = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();
    private final List<Lost> lost = new ArrayList<>();

    private static long at(double seconds) {
        return BEGIN + (long) (seconds * 1e9);
    }

    private StateJudgeTest told(double seconds, String state, String reason) {
        states.add(new State("c1", "0", at(seconds), state, 0, reason));
        return this;
    }

    private StateJudgeTest believes(double seconds) {
        held.add(new Held("c1", "/l", 5, false, at(seconds), at(seconds) + 1_000));
        return this;
    }

    private StateJudgeTest loses(double seconds) {
        lost.add(new Lost("c1", "/l", 5, at(seconds), "EXPIRED", "over"));
        return this;
    }

    private StateJudge.Judgement cutFor(double seconds) {
        return judge(false, seconds);
    }

    private StateJudge.Judgement cellStopsFor(double seconds) {
        return judge(true, seconds);
    }

    private StateJudge.Judgement judge(boolean cell, double seconds) {
        Outage outage = new Outage(cell, Duration.ofMillis((long) (seconds * 1_000)), at(0), at(seconds));
        return StateJudge.judge(outage, states, held, lost);
    }

    @Test
    void aShortCutIsNotNoticed() {
        StateJudge.Judgement judgement =
                told(-10, "SAFE", "").believes(-1).believes(6).cutFor(5);
        assertThat(judgement.fate()).isEqualTo(StateJudge.Fate.STAYED_SAFE);
        assertThat(judgement.wrong()).isEmpty();
    }

    @Test
    void whoMustHaveDoubtedAndDidNotIsFoundOut() {
        assertThat(believes(14).cutFor(13).wrong())
                .anySatisfy(wrong -> assertThat(wrong).contains("STAYED_SAFE"));
    }

    @Test
    void afterElevenSecondsTheCellDecides() {
        StateJudge.Judgement again =
                told(9, "JEOPARDY", "").told(11.5, "SAFE", "").believes(12).cutFor(11);
        assertThat(again.fate()).isEqualTo(StateJudge.Fate.SAFE_AGAIN);
        assertThat(again.wrong()).isEmpty();
        states.clear();
        held.clear();
        StateJudge.Judgement over = told(9, "JEOPARDY", "")
                .told(11.5, "EXPIRED", "ended by the cell")
                .loses(11.5)
                .cutFor(11);
        assertThat(over.fate()).isEqualTo(StateJudge.Fate.EXPIRED_AFTER);
        assertThat(over.wrong()).isEmpty();
    }

    @Test
    void afterThirteenSecondsNobodyIsSafeAgain() {
        assertThat(told(9, "JEOPARDY", "")
                        .told(13.5, "SAFE", "")
                        .believes(14)
                        .cutFor(13)
                        .wrong())
                .isNotEmpty();
    }

    @Test
    void afterAMinuteTheGraceHasEndedByTheClientsOwnClock() {
        told(10, "JEOPARDY", "")
                .told(55, "EXPIRED", "no confirmation within the grace period")
                .loses(55);
        assertThat(cutFor(60).fate()).isEqualTo(StateJudge.Fate.EXPIRED_WITHIN);
        assertThat(cutFor(60).wrong()).isEmpty();
    }

    @Test
    void aGraceThatEndsTooEarlyOrTooLateIsWrong() {
        told(10, "JEOPARDY", "")
                .told(30, "EXPIRED", "no confirmation within the grace period")
                .loses(30);
        assertThat(cutFor(60).wrong()).isNotEmpty();
    }

    @Test
    void aCellThatStoodStillKeepsItsSessions() {
        told(10, "JEOPARDY", "").told(41, "SAFE", "").believes(42);
        assertThat(cellStopsFor(40).wrong()).isEmpty();
        told(43, "EXPIRED", "gone").loses(43);
        assertThat(cellStopsFor(40).wrong()).isNotEmpty();
    }

    @Test
    void beliefInJeopardyIsFoundOut() {
        told(9, "JEOPARDY", "").told(11.5, "SAFE", "").believes(9.5).believes(12);
        assertThat(cutFor(11).wrong()).anySatisfy(wrong -> assertThat(wrong).contains("in jeopardy"));
    }

    @Test
    void statesComeInOrderAndOnce() {
        told(9, "JEOPARDY", "").told(9.5, "JEOPARDY", "").told(11.5, "SAFE", "").believes(12);
        assertThat(cutFor(11).wrong()).anySatisfy(wrong -> assertThat(wrong).contains("told as"));
    }

    @Test
    void aHoldIsNotLostWithoutItsSession() {
        assertThat(believes(6).loses(4).cutFor(5).wrong()).isNotEmpty();
    }
}
