package io.holdfast.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.raft.ReplicaId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IdentityFileTest {
    private static final ReplicaIdentity FRESH = ReplicaIdentity.fresh("prod", "r1", "9f3c");
    private static final ReplicaIdentity FORMED =
            FRESH.formed(List.of(new ReplicaId("r1@9f3c"), new ReplicaId("r2@77aa"), new ReplicaId("r3@0b1c")));

    private final MemoryDisk disk = new MemoryDisk();

    @Test
    void givesBackWhatWasStored() throws IOException {
        assertThat(IdentityFile.load(disk)).isEmpty();
        IdentityFile.store(disk, FRESH);
        assertThat(IdentityFile.load(disk)).contains(FRESH);
        assertThat(FRESH.isFormed()).isFalse();
        IdentityFile.store(disk, FORMED);
        assertThat(IdentityFile.load(disk, "prod", "r1")).contains(FORMED);
        assertThat(FORMED.isFormed()).isTrue();
        assertThat(FORMED.replicaId()).isEqualTo(new ReplicaId("r1@9f3c"));
    }

    @Test
    void remembersThatItStarted() throws IOException {
        assertThat(FORMED.started()).isFalse();
        IdentityFile.store(disk, FORMED.asStarted());
        assertThat(IdentityFile.load(disk)).contains(FORMED.asStarted());
        assertThatThrownBy(FRESH::asStarted).hasMessageContaining("started without members");
    }

    /** Version 1 has no count; an older program must refuse version 2 by its number and not take it for damage. */
    @Test
    void theCountOfShardsIsRecordedInAFormatOfItsOwn() throws IOException {
        IdentityFile.store(disk, FORMED);
        assertThat(text()).startsWith("holdfast-identity 1\n").doesNotContain("shards");
        assertThat(IdentityFile.load(disk).orElseThrow().knowsShards()).isFalse();

        for (int count : new int[] {0, 20}) {
            IdentityFile.store(disk, FORMED.asStarted().withShards(count));
            assertThat(text()).startsWith("holdfast-identity 2\n").contains("\nshards " + count + "\n");
            assertThat(IdentityFile.load(disk))
                    .contains(FORMED.withShards(count).asStarted());
        }
    }

    private String text() throws IOException {
        return new String(disk.content("identity"), StandardCharsets.UTF_8);
    }

    @Test
    void aCrashLeavesTheOldOneOrTheNewOne() throws IOException {
        for (int seed = 0; seed < 500; seed++) {
            MemoryDisk crashing = new MemoryDisk();
            IdentityFile.store(crashing, FRESH);
            Random random = new Random(seed * 7_919L);
            crashing.cutPowerAtOperation(1 + random.nextInt(7));
            boolean stored = false;
            try {
                IdentityFile.store(crashing, FORMED);
                stored = true;
            } catch (MemoryDisk.PowerCut cut) {
                assertThat(cut).isNotNull();
            }
            crashing.crash(random);
            Optional<ReplicaIdentity> found = IdentityFile.load(crashing);
            assertThat(found.orElseThrow()).isIn(stored ? List.of(FORMED) : List.of(FRESH, FORMED));
            IdentityFile.store(crashing, FORMED);
            crashing.crash(random);
            assertThat(IdentityFile.load(crashing)).contains(FORMED);
        }
    }

    @Test
    void anEmptyOrHalfWrittenFileIsRefusedByName() throws IOException {
        IdentityFile.store(disk, FORMED.asStarted());
        byte[] whole = disk.content("identity");
        for (int length = 0; length < whole.length; length++) {
            refuses(Arrays.copyOf(whole, length));
        }
        Random random = new Random(1);
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 + random.nextInt(127));
            refuses(damaged);
        }
        refuses(new byte[100_000]);
    }

    private void refuses(byte[] damaged) throws IOException {
        disk.overwrite("identity", damaged);
        assertThatThrownBy(() -> IdentityFile.load(disk))
                .isInstanceOf(DamagedFileException.class)
                .hasMessageContaining("/memory/identity");
    }

    @Test
    void anUnknownVersionIsRefused() throws IOException {
        IdentityFile.store(disk, FRESH);
        String text = new String(disk.content("identity"), StandardCharsets.UTF_8);
        disk.overwrite("identity", text.replace("identity 1", "identity 3").getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> IdentityFile.load(disk))
                .hasMessageContaining("format version 3, but this program reads only versions 1 and 2");
    }

    @Test
    void anotherDeploymentsOrReplicasIsRefusedWithBothNames() throws IOException {
        IdentityFile.store(disk, FRESH);
        assertThatThrownBy(() -> IdentityFile.load(disk, "staging", "r1"))
                .isInstanceOf(ForeignDataException.class)
                .hasMessageContaining("'prod'")
                .hasMessageContaining("'staging'");
        assertThatThrownBy(() -> IdentityFile.load(disk, "prod", "r2"))
                .isInstanceOf(ForeignDataException.class)
                .hasMessageContaining("'r1'")
                .hasMessageContaining("'r2'");
    }

    @Test
    void namesThatCouldNotBeReadBackAreRefused() {
        assertThatThrownBy(() -> ReplicaIdentity.fresh("a\nb", "r1", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ReplicaIdentity.fresh("a", "r@1", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ReplicaIdentity.fresh("a", "", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FRESH.formed(List.of(new ReplicaId("r1@a"), new ReplicaId("r1@b"))))
                .hasMessageContaining("two members are named r1");
    }
}
