package io.holdfast.cell.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Against {@link TreeMap}, with old versions kept and looked at again. */
final class PersistentMapPropertyTest {
    @Test
    void agreesWithATreeMapAndKeepsOldVersions() {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            int range = 1 + random.nextInt(300);
            PersistentMap<Integer, Integer> map = PersistentMap.empty();
            TreeMap<Integer, Integer> expected = new TreeMap<>();
            List<PersistentMap<Integer, Integer>> versions = new ArrayList<>();
            List<TreeMap<Integer, Integer>> expectedVersions = new ArrayList<>();
            for (int i = 0; i < 600; i++) {
                int key = random.nextInt(range);
                if (random.nextInt(5) < (i < 300 ? 3 : 1)) {
                    map = map.with(key, i);
                    expected.put(key, i);
                } else {
                    map = map.without(key);
                    expected.remove(key);
                }
                assertThat(map.size()).isEqualTo(expected.size());
                assertThat(map.get(key)).isEqualTo(expected.get(key));
                int from = random.nextInt(range);
                PersistentMap.Entry<Integer, Integer> next = map.first(k -> k >= from);
                assertThat(next == null ? null : next.key()).isEqualTo(expected.ceilingKey(from));
                if (i % 100 == 0) {
                    versions.add(map);
                    expectedVersions.add(new TreeMap<>(expected));
                    assertThat(entries(map.iteratorFrom(k -> k >= from))).isEqualTo(expected.tailMap(from));
                }
            }
            for (int i = 0; i < versions.size(); i++) {
                assertThat(entries(versions.get(i).iterator())).isEqualTo(expectedVersions.get(i));
            }
        }
    }

    private static Map<Integer, Integer> entries(Iterator<PersistentMap.Entry<Integer, Integer>> entries) {
        Map<Integer, Integer> all = new TreeMap<>();
        Integer last = null;
        while (entries.hasNext()) {
            PersistentMap.Entry<Integer, Integer> entry = entries.next();
            assertThat(last == null || last < entry.key()).isTrue();
            last = entry.key();
            all.put(entry.key(), entry.value());
        }
        return all;
    }

    /** Ascending keys are what revisions are: the tree must not become a list. */
    @Test
    void staysBalancedWhateverTheOrder() {
        PersistentMap<Integer, Integer> map = PersistentMap.empty();
        for (int i = 0; i < 100_000; i++) {
            map = map.with(i, i);
        }
        for (int i = 0; i < 99_000; i++) {
            map = map.without(i);
        }
        int[] compared = {0};
        map.first(key -> {
            compared[0]++;
            return key >= 99_500;
        });
        assertThat(compared[0]).isLessThan(25);
        assertThat(map.first().key()).isEqualTo(99_000);
    }
}
