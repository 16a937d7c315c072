package io.holdfast.replica.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a link is given up: never while a living peer may have had nothing to answer. */
final class LinkWatchTest {
    private final LinkWatch watch = new LinkWatch();

    private boolean tick(boolean sent, boolean heard) {
        if (sent) {
            watch.sent();
        }
        if (heard) {
            watch.heard();
        }
        return watch.tick();
    }

    @Test
    void silenceAfterSomethingWasSentEndsTheLink() {
        assertThat(tick(true, false)).isFalse();
        assertThat(tick(true, false)).isFalse();
        assertThat(tick(true, false)).isTrue();
    }

    @Test
    void oneMessageIsEnough() {
        assertThat(tick(true, false)).isFalse();
        assertThat(tick(false, false)).isFalse();
        assertThat(tick(false, false)).isTrue();
    }

    @Test
    void aLinkThatHasNothingToSendIsLeftAlone() {
        for (int i = 0; i < 100; i++) {
            assertThat(tick(false, false)).isFalse();
        }
    }

    @Test
    void anyWordBeginsItAnew() {
        for (int i = 0; i < 20; i++) {
            assertThat(tick(true, false)).isFalse();
            assertThat(tick(true, false)).isFalse();
            assertThat(tick(true, true)).isFalse();
            assertThat(tick(true, false)).isFalse(); // right after an answer
        }
    }

    /** It came less than {@link LinkWatch#ANSWER_MILLIS} after the last answer, so a living peer answers nothing. */
    @Test
    void theLastMessageBeforeAPauseNeedNoAnswer() {
        assertThat(tick(true, true)).isFalse();
        assertThat(tick(true, false)).isFalse();
        for (int i = 0; i < 100; i++) {
            assertThat(tick(false, false)).isFalse();
        }
    }

    @Test
    void aTickIsLongerThanBetweenTwoAnswers() {
        for (long silence : new long[] {1, 100, 1_000, 2_000, 20_000}) {
            assertThat(LinkWatch.tickMillis(silence)).isGreaterThan(LinkWatch.ANSWER_MILLIS);
        }
        assertThat(LinkWatch.tickMillis(2_000)).isEqualTo(500);
    }
}
