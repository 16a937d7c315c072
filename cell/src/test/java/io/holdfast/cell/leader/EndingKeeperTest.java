package io.holdfast.cell.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cell.Command;
import io.holdfast.model.Ending;
import io.holdfast.model.FencingToken;
import io.holdfast.model.NodePath;
import io.holdfast.model.SessionId;
import org.junit.jupiter.api.Test;

/** R3.6, R2.5, ADR 0010: what is marked, what stops, and what may be proposed when. */
final class EndingKeeperTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long TERM = 7;
    private static final SessionId A = new SessionId(1);
    private static final SessionId B = new SessionId(2);
    private static final NodePath PLACE = new NodePath("/l/x-00000000000000000004");
    private static final NodePath OTHER = new NodePath("/m/x-00000000000000000005");
    private static final FencingToken TOKEN = new FencingToken(4);
    private static final Ending OF_PLACE = new Ending.OfPlace(A, PLACE, TOKEN);
    private static final Ending OF_OTHER = new Ending.OfPlace(A, OTHER, new FencingToken(5));
    private static final Ending OF_SESSION = new Ending.OfSession(A);

    private final EndingKeeper keeper = new EndingKeeper();

    @Test
    void aPlaceIsProposedOnlyWhenItsClientHasLetGo() {
        assertThat(keeper.begin(OF_PLACE)).isTrue();
        assertThat(keeper.isStopped(A)).isTrue();
        assertThat(keeper.isStopped(B)).isFalse();
        assertThat(keeper.waitingFor(A)).containsExactly(OF_PLACE);
        assertThat(keeper.due(99 * SECOND, TERM)).isEmpty();
        assertThat(keeper.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);

        keeper.letGo(OF_PLACE, SECOND);
        assertThat(keeper.isStopped(A)).isFalse();
        assertThat(keeper.hasLetGo(OF_PLACE)).isTrue();
        assertThat(keeper.isEnding(PLACE, A)).isTrue();
        assertThat(keeper.due(SECOND, TERM)).containsExactly(new Command.BreakPlace(PLACE, TOKEN, TERM));
        assertThat(keeper.due(SECOND, TERM)).isEmpty();
        assertThat(keeper.due(2 * SECOND, TERM)).hasSize(1); // the proposal may have been refused
        keeper.gone(PLACE);
        assertThat(keeper.due(9 * SECOND, TERM)).isEmpty();
        assertThat(keeper.size()).isZero();
    }

    @Test
    void aSessionStaysStoppedForEver() {
        keeper.begin(OF_SESSION);
        assertThat(keeper.due(99 * SECOND, TERM)).isEmpty();
        keeper.letGo(OF_SESSION, SECOND);
        assertThat(keeper.isStopped(A)).isTrue();
        assertThat(keeper.waitingFor(A)).isEmpty();
        assertThat(keeper.endingOf(A)).isEqualTo(OF_SESSION);
        assertThat(keeper.due(SECOND, TERM)).containsExactly(new Command.ExpireSession(A, TERM));
        keeper.sessionEnded(A);
        assertThat(keeper.isStopped(A)).isFalse();
        assertThat(keeper.size()).isZero();
    }

    @Test
    void askingAgainTellsNobodyAgain() {
        assertThat(keeper.begin(OF_PLACE)).isTrue();
        assertThat(keeper.begin(OF_PLACE)).isFalse();
        assertThat(keeper.begin(OF_SESSION)).isTrue();
        assertThat(keeper.begin(OF_SESSION)).isFalse();
        assertThat(keeper.waitingFor(A)).containsExactly(OF_SESSION); // the whole covers its parts
        keeper.sessionEnded(A);
        keeper.begin(OF_PLACE);
        keeper.letGo(OF_PLACE, 0);
        assertThat(keeper.begin(OF_PLACE)).isFalse();
        assertThat(keeper.isStopped(A)).isFalse();
    }

    @Test
    void eachPlaceHasToBeLetGoOf() {
        keeper.begin(OF_PLACE);
        keeper.begin(OF_OTHER);
        keeper.letGo(OF_PLACE, 0);
        assertThat(keeper.isStopped(A)).isTrue();
        assertThat(keeper.endingOf(A)).isEqualTo(OF_OTHER);
        keeper.letGo(new Ending.OfPlace(A, OTHER, TOKEN), 0); // another token
        assertThat(keeper.isStopped(A)).isTrue();
        keeper.letGo(OF_OTHER, 0);
        assertThat(keeper.isStopped(A)).isFalse();
        assertThat(keeper.due(0, TERM)).hasSize(2);
    }

    @Test
    void aWordThatNobodyAskedForCountsForNothing() {
        keeper.letGo(OF_PLACE, 0);
        keeper.letGo(OF_SESSION, 0);
        keeper.begin(OF_PLACE);
        keeper.letGo(OF_SESSION, 0);
        keeper.letGo(new Ending.OfPlace(B, PLACE, TOKEN), 0);
        assertThat(keeper.due(SECOND, TERM)).isEmpty();
        assertThat(keeper.isStopped(A)).isTrue();
    }

    /** ADR 0010, history 4: else its session would never be renewed again. */
    @Test
    void aMarkGoesWithItsPlace() {
        keeper.begin(OF_PLACE);
        keeper.gone(PLACE);
        assertThat(keeper.isStopped(A)).isFalse();
        keeper.letGo(OF_PLACE, 0);
        assertThat(keeper.due(SECOND, TERM)).isEmpty();
        assertThat(keeper.size()).isZero();
    }

    /** R4.6: once its session has expired, nobody has to let go of a place. */
    @Test
    void aPlaceInItsLockDelayIsDueAtOnce() {
        keeper.beginUnowned(PLACE, TOKEN, SECOND);
        assertThat(keeper.isEnding(PLACE, null)).isTrue();
        assertThat(keeper.due(SECOND, TERM)).hasSize(1);
        keeper.gone(PLACE);

        keeper.begin(OF_PLACE);
        keeper.disowned(OTHER, TOKEN, 2 * SECOND);
        assertThat(keeper.due(2 * SECOND, TERM)).isEmpty();
        keeper.disowned(PLACE, TOKEN, 2 * SECOND);
        keeper.sessionEnded(A);
        assertThat(keeper.due(2 * SECOND, TERM)).containsExactly(new Command.BreakPlace(PLACE, TOKEN, TERM));
    }

    @Test
    void nothingSurvivesATerm() {
        keeper.begin(OF_PLACE);
        keeper.begin(new Ending.OfSession(B));
        keeper.letGo(OF_PLACE, 0);
        keeper.clear();
        assertThat(keeper.size()).isZero();
        assertThat(keeper.isStopped(A)).isFalse();
        assertThat(keeper.isStopped(B)).isFalse();
        assertThat(keeper.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    }
}
