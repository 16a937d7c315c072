package io.holdfast.server.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What is said of the limit of open files, and when a start is refused (ADR 0021). */
final class FileLimitTest {
    private static FileLimit of(long files) {
        return new FileLimit(OptionalLong.of(files));
    }

    @Test
    void theSoftLimitIsRead() {
        List<String> lines = List.of(
                "Limit                     Soft Limit           Hard Limit           Units     ",
                "Max processes             127208               127208               processes ",
                "Max open files            1024                 524288               files     ");
        assertThat(FileLimit.parse(lines)).hasValue(1_024);
        assertThat(FileLimit.parse(List.of("Max open files            unlimited            unlimited  files")))
                .isEmpty();
        assertThat(FileLimit.parse(List.of())).isEmpty();
        assertThat(FileLimit.parse(List.of("Max open files"))).isEmpty();
    }

    @Test
    void whatIsEnoughIsNotSpokenOf() {
        assertThat(of(2_256).check()).isEmpty();
        assertThat(new FileLimit(OptionalLong.empty()).check()).isEmpty();
        assertThat(new FileLimit(OptionalLong.empty()).clients()).isEqualTo(Integer.MAX_VALUE);
        assertThat(of(1L << 40).clients()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void aLowLimitIsSaidWithBothNumbersAndBoundsTheClients() {
        assertThat(of(1_024).check().orElseThrow())
                .contains("may have 1024", "enough for 768 clients", "for 2000 it needs 2256", "ulimit -n");
        assertThat(of(1_024).clients()).isEqualTo(768);
    }

    @Test
    void aHopelessLimitRefusesTheStart() {
        assertThatThrownBy(() -> of(255).check())
                .isInstanceOf(StartFailedException.class)
                .hasMessageContainingAll("may have 255", "needs 256");
        assertThat(of(256).check()).isPresent();
    }

    @Test
    void thisProcessHasOne() {
        assertThat(FileLimit.ofProcess().clients()).isPositive();
    }
}
