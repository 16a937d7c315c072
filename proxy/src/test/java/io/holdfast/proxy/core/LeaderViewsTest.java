package io.holdfast.proxy.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.protocol.frame.LeadersView;
import io.holdfast.protocol.frame.LeadersView.CellLeader;
import io.holdfast.proxy.core.LeaderViews.Known;
import io.holdfast.proxy.core.LeaderViews.News;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whom a proxy takes for the leader, from what replicas tell it (ADR 0019). */
final class LeaderViewsTest {
    private static final long MILLI = 1_000_000L;

    private final LeaderViews views = new LeaderViews();

    @Test
    void nothingIsKnownBeforeAnybodyWasHeard() {
        assertThat(views.known("main", 0).leader()).isNull();
        assertThat(views.hearing(0)).isZero();
    }

    @Test
    void theHighestTermDecides() {
        say("r1", 5, "r1", 0);
        say("r2", 6, "r2", 0);
        say("r3", 5, "r1", 0);
        assertThat(views.known("main", 0)).isEqualTo(new Known("r2", 6));
    }

    /** C38: the frozen one says nothing any more, the others have elected another. */
    @Test
    void aNewLeaderIsFollowedAtOnce() {
        say("r1", 5, "r1", 0);
        say("r2", 5, "r1", 0);
        say("r2", 6, "r2", 100 * MILLI);
        assertThat(views.known("main", 100 * MILLI)).isEqualTo(new Known("r2", 6));
        say("r1", 5, "r1", 200 * MILLI); // it wakes, and has not heard yet
        assertThat(views.known("main", 200 * MILLI)).isEqualTo(new Known("r2", 6));
    }

    @Test
    void aTermNeverFallsEvenIfWhoSpokeOfItIsSilent() {
        say("r2", 6, "r2", 0);
        assertThat(views.known("main", 0)).isEqualTo(new Known("r2", 6));
        say("r1", 5, "r1", 5_000 * MILLI);
        assertThat(views.known("main", 5_000 * MILLI)).isEqualTo(new Known("r2", 6));
    }

    /** A replica that is cut off from the others knows no leader, in a term of its own. */
    @Test
    void whoKnowsNoLeaderDoesNotCountBesideOneWhoDoes() {
        say("r1", 5, "r1", 0);
        say("r3", 9, null, 0);
        assertThat(views.known("main", 0)).isEqualTo(new Known("r1", 5));
    }

    /** And the leader that nobody knew for a moment is known again in the same term. */
    @Test
    void noLeaderIsKnownWhenAllWhoSpeakKnowNone() {
        say("r1", 5, "r1", 0);
        say("r2", 5, "r1", 0);
        assertThat(views.known("main", 0)).isEqualTo(new Known("r1", 5));
        say("r2", 6, null, 900 * MILLI);
        assertThat(views.known("main", 900 * MILLI)).isEqualTo(new Known("r1", 5));
        assertThat(views.known("main", 1_000 * MILLI)).isEqualTo(new Known(null, 5));
        say("r1", 5, "r1", 1_100 * MILLI);
        assertThat(views.known("main", 1_100 * MILLI)).isEqualTo(new Known("r1", 5));
    }

    /** It is no news of the leader; whether the link works is the link's to say. */
    @Test
    void silenceOfAllChangesNothing() {
        say("r1", 5, "r1", 0);
        assertThat(views.known("main", 60_000 * MILLI)).isEqualTo(new Known("r1", 5));
        assertThat(views.hearing(60_000 * MILLI)).isZero();
    }

    @Test
    void whoIsNotAskedAnyMoreDoesNotCount() {
        say("r1", 5, "r1", 0);
        say("r2", 5, null, 0);
        assertThat(views.known("main", 0)).isEqualTo(new Known("r1", 5));
        views.forget("at r1");
        assertThat(views.known("main", 0)).isEqualTo(new Known(null, 5));
        assertThat(views.hearing(0)).isEqualTo(1);
    }

    @Test
    void replicasOfAnotherDeploymentAreNotListenedTo() {
        assertThat(say("r1", 5, "r1", 0)).isEqualTo(News.ADOPTED);
        assertThat(say("r2", 5, "r1", 0)).isEqualTo(News.TAKEN);
        assertThat(heard("at x", "other", "r9", 77, "r9", 5_000 * MILLI)).isEqualTo(News.FOREIGN);
        assertThat(views.known("main", 5_000 * MILLI)).isEqualTo(new Known("r1", 5));
    }

    /** C115: terms begin anew with the cell. */
    @Test
    void aCellThatWasSetUpAnewIsFollowedWhenNobodySpeaksForTheOldOne() {
        say("r1", 50, "r1", 0);
        say("r2", 50, "r1", 0);
        assertThat(heard("at r1", "d2", "r1", 1, "r1", 500 * MILLI)).isEqualTo(News.FOREIGN);
        assertThat(heard("at r1", "d2", "r1", 1, "r1", 1_500 * MILLI)).isEqualTo(News.ADOPTED);
        assertThat(heard("at r2", "d2", "r2", 1, "r1", 1_500 * MILLI)).isEqualTo(News.TAKEN);
        assertThat(views.known("main", 1_500 * MILLI)).isEqualTo(new Known("r1", 1));
        assertThat(heard("at r3", "d1", "r3", 51, "r3", 1_500 * MILLI)).isEqualTo(News.FOREIGN);
    }

    private News say(String replica, long term, @Nullable String leader, long now) {
        return heard("at " + replica, "d1", replica, term, leader, now);
    }

    private News heard(
            String address, String deployment, String replica, long term, @Nullable String leader, long now) {
        return views.heard(
                address, new LeadersView(deployment, replica, List.of(new CellLeader("main", term, leader))), now);
    }
}
