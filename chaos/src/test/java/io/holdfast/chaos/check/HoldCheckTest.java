package io.holdfast.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.chaos.history.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HoldCheckTest {
    @TempDir
    private Path directory;

    private History history(String... lines) throws IOException {
        Path file = Files.writeString(
                Files.createTempFile(directory, "c", ""),
                String.join("\n", lines).replace(' ', '\t') + "\n");
        History history = new History();
        history.read("c1", file);
        return history;
    }

    private History with(History history, String... lines) throws IOException {
        Path file = Files.writeString(
                Files.createTempFile(directory, "c", ""),
                String.join("\n", lines).replace(' ', '\t') + "\n");
        history.read("c2", file);
        return history;
    }

    @Test
    void twoHoldersAtOnceAreFound() throws IOException {
        History history = with(
                history("H /a 1 false 100 101", "H /a 1 false 200 201"),
                "H /a 2 false 150 151",
                "H /a 2 false 300 301");

        assertThat(HoldCheck.check(history)).extracting(Finding::promise).containsExactly("N1");
    }

    @Test
    void oneSampleWithinAnothersHoldIsFound() throws IOException {
        History history = with(history("H /a 1 false 100 101", "H /a 1 false 200 201"), "H /a 2 false 150 151");

        assertThat(HoldCheck.check(history)).hasSize(1);
    }

    @Test
    void oneAfterTheOtherIsFineHoweverSlowTheSamples() throws IOException {
        // the first one's last sample may have been taken at any time from 200 to 290
        History history = with(
                history("H /a 1 false 100 101", "H /a 1 false 200 290"),
                "H /a 2 false 150 250",
                "H /a 2 false 300 301");

        assertThat(HoldCheck.check(history)).isEmpty();
    }

    @Test
    void sharedHoldersMeetButNotWithAnExclusiveOne() throws IOException {
        History shared = with(
                history("H /a 1 true 100 101", "H /a 1 true 200 201"), "H /a 2 true 150 151", "H /a 2 true 250 251");
        assertThat(HoldCheck.check(shared)).isEmpty();

        History mixed = with(
                history("H /a 1 true 100 101", "H /a 1 true 200 201"), "H /a 2 false 150 151", "H /a 2 false 250 251");
        assertThat(HoldCheck.check(mixed)).hasSize(1);
    }

    @Test
    void anAnswerThatNamesAnotherHolderDuringAHoldIsFound() throws IOException {
        String[] held = {"H /a 7 false 100 101", "H /a 7 false 200 201"};

        assertThat(HoldCheck.check(with(history(held), "Q /a 120 180 7 r1"))).isEmpty();
        assertThat(HoldCheck.check(with(history(held), "Q /a 90 180 3 r1"))).isEmpty();
        assertThat(HoldCheck.check(with(history(held), "Q /a 120 180 3 r1")))
                .extracting(Finding::promise)
                .isEqualTo(List.of("C38"));
    }

    @Test
    void aTokenGivenTwiceOrFallingIsFound() throws IOException {
        assertThat(TokenCheck.check(history("G /a 5 false 10 20", "G /a 6 false 30 40")))
                .isEmpty();
        assertThat(TokenCheck.check(history("G /a 5 false 10 20", "G /a 5 false 30 40")))
                .isNotEmpty();
        assertThat(TokenCheck.check(history("G /a 5 false 10 20", "G /a 4 false 30 40")))
                .hasSize(1);
        // asked for before the other was answered: either order
        assertThat(TokenCheck.check(history("G /a 5 false 10 20", "G /a 4 false 15 40")))
                .isEmpty();
    }

    @Test
    void aHolderThatTheResourceRefusesIsFound() throws IOException {
        assertThat(TokenCheck.check(history("F /a 5 100 false false"))).isEmpty();
        assertThat(TokenCheck.check(history("F /a 5 100 false true"))).hasSize(1);
    }
}
