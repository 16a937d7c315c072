package io.holdfast.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.process.CaughtSignal;
import io.holdfast.cli.process.QuitWatch;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A signal is not ignored while a release waits for a cell that does not answer (C111). */
@Timeout(60)
final class GivingBackTest {
    private static final CaughtSignal TERM = new CaughtSignal("TERM", 15);

    private final Events events = new Events(QuitWatch.ofProcess());
    private final GivingBack patient = new GivingBack(events, Duration.ofDays(1));

    @Test
    void itWaitsForTheAnswer() {
        CompletableFuture<Boolean> released = new CompletableFuture<>();
        new Thread(() -> released.complete(true)).start();
        assertThat(patient.await(released, false)).isTrue();
    }

    @Test
    void aFailureIsNoConfirmation() {
        assertThat(patient.await(CompletableFuture.failedFuture(new IllegalStateException("x")), false))
                .isFalse();
    }

    @Test
    void theCallTimeoutBoundsIt() {
        assertThat(new GivingBack(events, Duration.ofMillis(1)).await(new CompletableFuture<>(), false))
                .isFalse();
    }

    @Test
    void aSignalEndsIt() {
        events.signal(TERM);
        assertThat(patient.await(new CompletableFuture<>(), false)).isFalse();
    }

    @Test
    void soDoesOneThatCameBefore() {
        assertThat(patient.await(new CompletableFuture<>(), true)).isFalse();
        assertThat(patient.await(CompletableFuture.completedFuture(true), true))
                .as("what was answered counts")
                .isTrue();
    }

    @Test
    void signalsAreRemembered() {
        assertThat(events.caught(signal -> true)).isFalse();
        events.signal(TERM);
        assertThat(events.caught(TERM::equals)).isTrue();
        assertThat(events.await(0)).contains(TERM);
        assertThat(events.caught(TERM::equals)).isTrue();
        assertThat(events.caught(signal -> signal.name().equals("INT"))).isFalse();
    }
}
