package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The listener waits for the printer (R8.4). */
@Timeout(60)
final class HandoverTest {
    private final Handover<Integer> handover = new Handover<>();
    private final AtomicInteger returned = new AtomicInteger();
    private final Thread giver = new Thread(() -> {
        for (int i = 1; i <= 3; i++) {
            handover.give(i);
            returned.set(i);
        }
    });

    @AfterEach
    void end() throws InterruptedException {
        handover.close();
        giver.join();
    }

    private void startGiving() {
        giver.start();
        while (giver.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void whoGivesWaitsUntilItIsTaken() throws InterruptedException {
        startGiving();
        assertThat(returned).hasValue(0);
        List<Integer> taken = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            taken.add(handover.take(Long.MAX_VALUE));
        }
        giver.join();
        assertThat(taken).containsExactly(1, 2, 3);
        assertThat(returned).hasValue(3);
    }

    @Test
    void nobodyWaitsForAPrinterThatHasEnded() throws InterruptedException {
        startGiving();
        handover.close();
        giver.join();
        assertThat(returned).hasValue(3);
        assertThat(handover.take(0)).isNull();
    }

    @Test
    void anInterruptEndsTheWaiting() throws InterruptedException {
        startGiving();
        giver.interrupt();
        giver.join();
        assertThat(handover.take(0)).isNull();
    }
}
