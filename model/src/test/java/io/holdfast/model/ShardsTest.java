package io.holdfast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardsTest {
    /** R7.4: published; whoever computes another shard looks for a lock where it is not. The first is CRC-32C's own test vector. */
    @ParameterizedTest
    @CsvSource({
        "123456789, 15, 2",
        "a, 16, 1",
        "account/42, 17, 0",
        "jobs/reindex, 10, 0",
        "Straße, 10, 2",
        "鍵, 8, 0",
        "😀, 16, 1"
    })
    void theShardOfANameIsPublished(String name, int of20, int of7) {
        assertThat(new Shards(20).shardOf(name)).isEqualTo(of20);
        assertThat(new Shards(7).shardOf(name)).isEqualTo(of7);
        assertThat(new Shards(20).cellOf(name)).isEqualTo("shard-" + (of20 < 10 ? "0" : "") + of20);
        assertThat(new Shards(1).shardOf(name)).isZero();
    }

    /** A checksum above 2^31 counts as unsigned. */
    @Test
    void everyShardIsReachedAndNoneIsNegative() {
        int[] names = new int[Shards.DEFAULT_COUNT];
        for (int i = 0; i < 20_000; i++) {
            names[new Shards(Shards.DEFAULT_COUNT).shardOf("lock-" + i)]++;
        }
        assertThat(Arrays.stream(names)).allMatch(count -> count > 800 && count < 1_200);
    }

    @Test
    void cellsAreNumberedFromZero() {
        assertThat(new Shards(3).cellNames()).containsExactly("shard-00", "shard-01", "shard-02");
        assertThat(Shards.cellName(19)).isEqualTo("shard-19");
        assertThat(Shards.cellName(999)).isEqualTo("shard-999");
        assertThat(Shards.NONE.cellNames()).isEmpty();
        assertThatThrownBy(() -> Shards.NONE.shardOf("a")).hasMessageContaining("no shards");
        assertThat(Shards.isShardName("shard-x")).isTrue();
        assertThat(Shards.isShardName("main")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1_001})
    void aCountOutOfRangeIsRefused(int count) {
        assertThatThrownBy(() -> new Shards(count)).hasMessageContaining("outside 0 to 1000");
    }
}
