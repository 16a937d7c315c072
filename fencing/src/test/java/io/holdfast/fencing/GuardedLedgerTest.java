package io.holdfast.fencing;

import io.holdfast.fencing.file.FileGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A late write of an old holder, with the guard and without it, in memory and on a file. */
class GuardedLedgerTest {
    @TempDir
    private Path directory;

    @Test
    void inMemoryTheLateWriteIsRefused() throws Exception {
        LedgerScenario.guarded(new GuardedLedger(new MemoryGuard(), directory.resolve("balance")));
    }

    @Test
    void onAFileTheLateWriteIsRefused() throws Exception {
        FileGuard guard = new FileGuard(directory.resolve("fence"));
        LedgerScenario.guarded(new GuardedLedger(guard, directory.resolve("balance")));
    }

    @Test
    void withoutAGuardMoneyIsLost() throws Exception {
        LedgerScenario.unguarded(new PlainLedger(directory.resolve("balance")));
    }

    private record GuardedLedger(FencingGuard guard, Path file) implements Ledger {
        @Override
        public void raise(Grant grant) {
            guard.raise(grant);
        }

        @Override
        public long balance() throws IOException {
            return Long.parseLong(Files.readString(file));
        }

        @Override
        public void write(Grant grant, long balance) throws IOException {
            guard.guarded(grant, () -> Files.writeString(file, Long.toString(balance)));
        }
    }

    private record PlainLedger(Path file) implements Ledger {
        @Override
        public void raise(Grant grant) {}

        @Override
        public long balance() throws IOException {
            return Long.parseLong(Files.readString(file));
        }

        @Override
        public void write(Grant grant, long balance) throws IOException {
            Files.writeString(file, Long.toString(balance));
        }
    }
}
