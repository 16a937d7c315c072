package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.commands.EndingRun.Order;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.client.HoldfastException;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code break} and {@code expire} wait once for all that they end, and say of each what came of it (R3.6). */
@Timeout(60)
final class EndingRunTest {
    private static final Outcome.BeingEnded WAITING =
            new Outcome.BeingEnded(new SessionId(7), "worker@host", false, 9_000);

    private final ByteArrayOutputStream notes = new ByteArrayOutputStream();
    private final Console console = new Console(new ByteArrayOutputStream(), notes);
    private final List<Order> told = new ArrayList<>();

    private void run(Duration timeout, Order... orders) {
        new EndingRun(console, timeout, false).run(List.of(orders), told::add);
    }

    /** Is being ended so often as it is asked for, then it is gone. */
    private static Order goneAfter(String what, int asks) {
        int[] asked = {0};
        return new Order(
                what,
                () -> CompletableFuture.completedFuture(asked[0]++ < asks ? Optional.of(WAITING) : Optional.empty()));
    }

    private static Order silent(String what) {
        return new Order(what, CompletableFuture::new);
    }

    private static final class Refused extends HoldfastException {
        private static final long serialVersionUID = 1;

        Refused() {
            super("INTERNAL", Outcome.DEFINITE_NOT_DONE, "refused for good");
        }
    }

    private static CliException failure(Order order) {
        return Objects.requireNonNull(order.failure());
    }

    @Test
    void itAsksUntilTheThingIsGoneAndSaysForWhomItWaits() {
        Order order = goneAfter("/a", 4);
        run(Duration.ofSeconds(30), order);
        assertThat(told).containsExactly(order);
        assertThat(order.ended()).isEqualTo(WAITING);
        assertThat(order.failure()).isNull();
        assertThat(notes.toString(StandardCharsets.UTF_8))
                .containsOnlyOnce("waiting for worker@host (session 7) to let go of /a");
    }

    @Test
    void whatWasNeverThereIsNoFailure() {
        Order order = goneAfter("/a", 0);
        run(Duration.ofSeconds(30), order);
        assertThat(order.wasNotThere()).isTrue();
        assertThat(order.ended()).isNull();
        assertThat(order.failure()).isNull();
    }

    @Test
    void anUnreachableCellCostsOneTimeoutHoweverMuchIsToBeEnded() {
        Order first = silent("/a");
        Order second = silent("/b");
        Order third = silent("/c");
        long start = System.nanoTime();
        run(Duration.ofSeconds(1), first, second, third);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(1_900));
        for (Order order : List.of(first, second, third)) {
            assertThat(failure(order).exitStatus()).isEqualTo(ExitStatus.UNREACHABLE.number());
            assertThat(failure(order).fate()).isEqualTo(CliException.Fate.UNKNOWN);
        }
    }

    @Test
    void whatEndedIsToldAlsoIfAnotherFailsOrDoesNotEnd() {
        Order refused = new Order("/refused", () -> CompletableFuture.failedFuture(new Refused()));
        Order ends = goneAfter("/ends", 2);
        Order stays = goneAfter("/stays", Integer.MAX_VALUE);
        run(Duration.ofMillis(600), refused, ends, stays);
        assertThat(told).containsExactly(refused, ends, stays);
        assertThat(ends.ended()).isEqualTo(WAITING);
        assertThat(failure(refused).code()).isEqualTo("INTERNAL");
        assertThat(stays.ended()).isNull();
        assertThat(failure(stays).exitStatus()).isEqualTo(ExitStatus.NOT_ACQUIRED.number());
        assertThat(failure(stays).getMessage()).contains("/stays is still being ended", "session 7");
    }
}
