package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cell.lock.PlaceName;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code break} takes for one place rather than for a lock. */
final class PlacePathTest {
    @ParameterizedTest
    @EnumSource(LockMode.class)
    void aPlaceOfEveryModeIsKnownWithItsToken(LockMode mode) {
        FencingToken token = new FencingToken(4711);
        String path = "/limits/downloads/" + PlaceName.of(mode, token);
        assertThat(PlacePath.of(path)).contains(new PlacePath(path, token));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/jobs/reindex",
                "/",
                "",
                "/jobs/x-1",
                "/jobs/q-00000000000000004711",
                "/x-00000000000000004711/below"
            })
    void anythingElseIsNone(String path) {
        assertThat(PlacePath.of(path)).isEmpty();
    }

    @Test
    void moreDigitsThanATokenHasAreATokenThatNobodyHas() {
        assertThat(PlacePath.of("/a/p-99999999999999999999").orElseThrow().token())
                .isEqualTo(new FencingToken(Long.MAX_VALUE));
    }
}
