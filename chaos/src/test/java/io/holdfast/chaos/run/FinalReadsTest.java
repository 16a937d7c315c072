package io.holdfast.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.chaos.check.Finding;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FinalReadsTest {
    private static final List<String> CREATED = List.of("/chaos/created/c1-0/0", "/chaos/created/c1-0/1");

    @Test
    void nothingIsMissingIfAllIsThere() {
        assertThat(FinalReads.missing(CREATED, parent -> Optional.of(List.of("0", "1", "2"))))
                .isEmpty();
    }

    /** C08. */
    @Test
    void anAcknowledgedValueThatIsGoneIsFound() {
        List<Finding> findings = FinalReads.missing(CREATED, parent -> Optional.of(List.of("0")));

        assertThat(findings).extracting(Finding::promise).containsExactly("C08");
        assertThat(findings.get(0).what()).startsWith("1 acknowledged").contains("[1]");
    }

    /** C08: not a failure of the harness. */
    @Test
    void aParentThatIsGoneIsFoundWithAllThatWasBelowIt() {
        List<Finding> findings = FinalReads.missing(CREATED, parent -> Optional.empty());

        assertThat(findings).extracting(Finding::promise).containsExactly("C08");
        assertThat(findings.get(0).what()).startsWith("2 acknowledged");
    }
}
