package io.holdfast.chaos.contenders;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.chaos.check.Finding;
import io.holdfast.chaos.contenders.LeadJudge.Events;
import io.holdfast.chaos.history.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every way in which it can go wrong is found. Words of a grant: lock, token, shared, asked for at, answered at. */
final class LeadJudgeTest {
    private static final List<Long> QUEUE = List.of(11L, 12L, 13L);
    private static final Events ONE_EACH = new Events(3, 0);

    @TempDir
    private Path directory;

    private History history(String... lines) throws IOException {
        Path file = Files.writeString(
                directory.resolve("c"), String.join("\n", lines).replace(' ', '\t') + "\n");
        History history = new History();
        history.read("c", file);
        return history;
    }

    private static List<String> promises(List<Finding> findings) {
        return findings.stream().map(Finding::promise).distinct().toList();
    }

    @Test
    void allInOrderWithOneEventEachIsGreen() throws IOException {
        History history = history("G /e 11 false 1 100", "G /e 12 false 1 200", "G /e 13 false 1 300");

        assertThat(LeadJudge.judge(QUEUE, history, ONE_EACH)).isEmpty();
    }

    @Test
    void n9AnEventTooManyOrTooFewIsFound() throws IOException {
        History history = history("G /e 11 false 1 100", "G /e 12 false 1 200", "G /e 13 false 1 300");

        assertThat(promises(LeadJudge.judge(QUEUE, history, new Events(4, 0)))).containsExactly("N9");
        assertThat(promises(LeadJudge.judge(QUEUE, history, new Events(2, 0)))).containsExactly("N9");
        assertThat(promises(LeadJudge.judge(QUEUE, history, new Events(3, 1)))).containsExactly("N9");
    }

    @Test
    void whoNeverLedIsMissed() throws IOException {
        History history = history("G /e 11 false 1 100", "G /e 13 false 1 300");

        assertThat(promises(LeadJudge.judge(QUEUE, history, ONE_EACH))).containsExactly("F1");
    }

    @Test
    void aLeadThatWasGivenTwiceIsFound() throws IOException {
        History history =
                history("G /e 11 false 1 100", "G /e 12 false 1 200", "G /e 12 false 1 250", "G /e 13 false 1 300");

        assertThat(promises(LeadJudge.judge(QUEUE, history, ONE_EACH))).contains("N1", "F3");
    }

    @Test
    void f1WhoLedOutOfTurnIsFound() throws IOException {
        History history = history("G /e 11 false 1 100", "G /e 13 false 1 200", "G /e 12 false 1 300");

        assertThat(promises(LeadJudge.judge(QUEUE, history, ONE_EACH))).containsExactly("F1");
    }

    @Test
    void n1TwoWhoLeadAtOnceAreFound() throws IOException {
        History history = history(
                "G /e 11 false 1 100",
                "G /e 12 false 1 200",
                "G /e 13 false 1 300",
                "H /e 11 false 110 111",
                "H /e 11 false 250 251",
                "H /e 12 false 205 206",
                "H /e 12 false 290 291");

        assertThat(promises(LeadJudge.judge(QUEUE, history, ONE_EACH))).containsExactly("N1");
    }

    @Test
    void whoLeadsWithoutHavingWaitedIsFound() throws IOException {
        History history =
                history("G /e 11 false 1 100", "G /e 12 false 1 200", "G /e 13 false 1 300", "G /e 99 false 1 400");

        assertThat(promises(LeadJudge.judge(QUEUE, history, ONE_EACH))).containsExactly("F3");
    }

    @Test
    void aCampaignThatFailsIsFound() throws IOException {
        History history =
                history("G /e 11 false 1 100", "G /e 12 false 1 200", "G /e 13 false 1 300", "E 5 candidate-7:refused");

        assertThat(promises(LeadJudge.judge(QUEUE, history, ONE_EACH))).containsExactly("F4");
    }
}
