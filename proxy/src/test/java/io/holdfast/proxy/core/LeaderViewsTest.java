package io.holdfast.proxy.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.protocol.frame.LeadersView;
import io.holdfast.protocol.frame.LeadersView.CellLeader;
import io.holdfast.proxy.core.LeaderViews.Known;
import io.holdfast.proxy.core.LeaderViews.News;
import java.util.List;
import java.util.Set;
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
        views.asked(Set.of("at r2"));
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

    // ---- which deployment is followed (C115, C116)

    /** Looks, each 100 ms, in which these addresses speak for a deployment every 300 ms. */
    private long looks(int count, long now, String deployment, String... addresses) {
        for (int i = 0; i < count; i++) {
            if (i % 3 == 0) {
                for (String address : addresses) {
                    heard(address, deployment, address.substring(3), 1, "r1", now);
                }
            }
            views.look(now);
            now += 100 * MILLI;
        }
        return now;
    }

    private void askThree() {
        views.asked(Set.of("at r1", "at r2", "at r3"));
    }

    /** C115: terms begin anew with the cell. */
    @Test
    void aCellThatWasSetUpAnewIsFollowedWhenNobodySpeaksForTheOldOne() {
        askThree();
        say("r1", 50, "r1", 0);
        say("r2", 50, "r1", 0);
        long now = looks(14, 500 * MILLI, "d2", "at r1", "at r3"); // ours counts as heard for the first half second
        assertThat(heard("at r1", "d2", "r1", 1, "r1", now)).isEqualTo(News.FOREIGN);
        now = looks(5, now, "d2", "at r1", "at r3");
        assertThat(heard("at r2", "d2", "r2", 1, "r1", now)).isEqualTo(News.TAKEN);
        assertThat(views.known("main", now)).isEqualTo(new Known("r1", 1));
        assertThat(views.ours()).containsOnlyKeys("at r1", "at r2", "at r3");
        assertThat(heard("at r3", "d1", "r3", 51, "r3", now)).isEqualTo(News.FOREIGN);
    }

    /** R1.3: after a pause of this process all that was heard is old, and says nothing of who is there. */
    @Test
    void aPauseIsNoSilenceOfTheOthers() {
        askThree();
        say("r3", 5, "r1", 0);
        say("r1", 5, "r1", 0);
        assertThat(heard("at r3", "d2", "r3", 1, "r3", 1_200 * MILLI)).isEqualTo(News.FOREIGN);
        views.look(1_300 * MILLI);
        assertThat(say("r1", 5, "r1", 1_400 * MILLI)).isEqualTo(News.TAKEN);
        looks(200, 1_500 * MILLI, "d2", "at r3");
        assertThat(say("r1", 5, "r1", 30_000 * MILLI)).isEqualTo(News.TAKEN);
    }

    /** A proxy that reaches only one, and that one is of another deployment now, stays with its own. */
    @Test
    void aFewDoNotSpeakForACellThatWasSetUpAnew() {
        askThree();
        say("r1", 5, "r1", 0);
        say("r2", 5, "r1", 0);
        long now = looks(500, 1_200 * MILLI, "d2", "at r1");
        assertThat(heard("at r1", "d2", "r1", 1, "r1", now)).isEqualTo(News.FOREIGN);
    }

    /** C116 with C115: the names stand for other addresses, and none is left that knew the old cell. */
    @Test
    void aCellThatWasSetUpAnewElsewhereIsFollowed() {
        askThree();
        say("r1", 50, "r1", 0);
        say("r2", 50, "r1", 0);
        views.asked(Set.of("at n1", "at n2", "at n3"));
        long now = looks(13, 100 * MILLI, "d2", "at n1", "at n2");
        assertThat(views.known("main", now)).isEqualTo(new Known("r1", 1));
        assertThat(views.ours()).containsOnlyKeys("at n1", "at n2");
    }

    @Test
    void whoAnswersFirstDoesNotDecideWhichDeploymentItIs() {
        askThree();
        assertThat(heard("at r3", "d2", "r3", 9, "r3", 0)).isEqualTo(News.UNDECIDED);
        assertThat(say("r1", 5, "r1", 0)).isEqualTo(News.UNDECIDED);
        assertThat(say("r2", 5, "r1", 0)).isEqualTo(News.ADOPTED);
        assertThat(views.known("main", 0)).isEqualTo(new Known("r1", 5));
        assertThat(views.ours()).containsOnlyKeys("at r1", "at r2");
    }

    /** One replica of three runs: it is followed when the others had a second to speak. */
    @Test
    void fewAreEnoughAtTheStartIfTheOthersAreSilent() {
        askThree();
        assertThat(say("r1", 5, null, 0)).isEqualTo(News.UNDECIDED);
        long now = looks(10, 0, "d1", "at r1");
        assertThat(say("r1", 5, null, now)).isEqualTo(News.ADOPTED);
    }

    @Test
    void whoIsUndecidedBetweenTwoWaits() {
        askThree();
        long now = 0;
        for (int i = 0; i < 20; i++) {
            assertThat(say("r1", 5, "r1", now)).isEqualTo(News.UNDECIDED);
            assertThat(heard("at r3", "d2", "r3", 9, "r3", now)).isEqualTo(News.UNDECIDED);
            views.look(now);
            now += 100 * MILLI;
        }
        say("r2", 5, "r1", now);
        assertThat(views.ours()).containsOnlyKeys("at r1", "at r2");
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
