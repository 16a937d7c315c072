package io.holdfast.fencing.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.fencing.Fence;
import io.holdfast.fencing.Grant;
import io.holdfast.fencing.GuardFailedException;
import io.holdfast.fencing.LockName;
import io.holdfast.fencing.ModesContract;
import io.holdfast.fencing.StaleTokenException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on a file, and what is this form's own. */
class FileGuardTest extends ModesContract {
    @TempDir
    private Path directory;

    private Path file;
    private FileGuard guard;

    @BeforeEach
    void open() {
        file = directory.resolve("fence");
        guard = new FileGuard(file);
    }

    @Override
    protected <T> T using(GuardUse<T> use) throws Exception {
        return use.with(guard);
    }

    @Test
    void anotherGuardOnTheFileRemembers() {
        guard.check(Grant.exclusive(LOCK, 7));
        guard.check(Grant.shared("/other", 9));
        FileGuard later = new FileGuard(file);
        assertThatThrownBy(() -> later.check(Grant.exclusive(LOCK, 6))).isInstanceOf(StaleTokenException.class);
        assertThat(later.fence(new LockName("/other"))).isEqualTo(fenceOf(0, 9));
        later.check(Grant.exclusive(LOCK, 8));
        assertThatThrownBy(() -> guard.check(Grant.exclusive(LOCK, 7))).isInstanceOf(StaleTokenException.class);
        assertThat(guard.rejections()).isOne();
    }

    @Test
    void twoPathsToOneFileAreOneGuard() throws IOException {
        guard.check(Grant.exclusive(LOCK, 7));
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        FileGuard throughLink = new FileGuard(link);
        throughLink.check(Grant.exclusive(LOCK, 8));
        assertThat(link).isSymbolicLink();
        assertThatThrownBy(() -> guard.check(Grant.exclusive(LOCK, 7))).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void aTokenIsOnTheDiskBeforeTheWriteBegins() throws IOException {
        byte[] duringTheWrite = guard.guarded(Grant.exclusive(LOCK, 7), () -> Files.readAllBytes(file));
        assertThat(FenceFormat.decode(duringTheWrite)).containsEntry(new LockName(LOCK), fenceOf(7, 7));
    }

    @Test
    void theSameTokenIsNotWrittenAgainByTheGuardThatMadeItDurable() throws IOException {
        guard.check(Grant.exclusive(LOCK, 7));
        Object first = Files.readAttributes(file, "unix:ino").get("ino");
        guard.check(Grant.exclusive(LOCK, 7));
        assertThat(Files.readAttributes(file, "unix:ino").get("ino")).isEqualTo(first);
    }

    /** Who left it may have died between its rename and its fsync: what is seen need not be durable. */
    @Test
    void whatAnotherGuardLeftIsMadeDurableBeforeItCounts() throws IOException {
        guard.check(Grant.exclusive(LOCK, 7));
        Object first = Files.readAttributes(file, "unix:ino").get("ino");
        new FileGuard(file).check(Grant.exclusive(LOCK, 7));
        assertThat(Files.readAttributes(file, "unix:ino").get("ino")).isNotEqualTo(first);
    }

    @Test
    void whatACrashLeftAsideIsIgnored() throws IOException {
        guard.check(Grant.exclusive(LOCK, 7));
        Files.writeString(directory.resolve("fence.new"), "half a fi");
        assertThat(new FileGuard(file).fence(new LockName(LOCK))).isEqualTo(fenceOf(7, 7));
        guard.check(Grant.exclusive(LOCK, 8));
        assertThat(directory.resolve("fence.new")).doesNotExist();
        assertThat(FenceFormat.decode(Files.readAllBytes(file))).containsEntry(new LockName(LOCK), fenceOf(8, 8));
    }

    @Test
    void damageRefusesAllAndIsLeftAsItIs() throws IOException {
        guard.check(Grant.exclusive(LOCK, 7));
        byte[] whole = Files.readAllBytes(file);
        for (byte[] damaged : new byte[][] {new byte[0], Arrays.copyOf(whole, whole.length - 1)}) {
            Files.write(file, damaged);
            assertThatThrownBy(() -> guard.check(Grant.exclusive(LOCK, 99)))
                    .isInstanceOf(GuardFailedException.class)
                    .hasMessageContaining("is damaged")
                    .hasMessageContaining(file.toString());
            assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
        }
        assertThat(guard.rejections()).isZero();
    }

    @Test
    void aDiskThatCannotBeWrittenRefusesAndTheWriteDoesNotBegin() throws IOException {
        Files.createDirectory(directory.resolve("fence.new"));
        boolean[] begun = {false};
        assertThatThrownBy(() -> guard.guarded(Grant.exclusive(LOCK, 7), () -> begun[0] = true))
                .isInstanceOf(GuardFailedException.class)
                .hasMessageContaining("cannot be written");
        assertThat(begun[0]).isFalse();
        Files.delete(directory.resolve("fence.new"));
        guard.check(Grant.exclusive(LOCK, 7));
    }

    @Test
    void atItsLimitItRefusesANewLock() throws IOException {
        TreeMap<LockName, Fence> full = new TreeMap<>();
        for (int i = 0; i < FileGuard.MAX_LOCKS; i++) {
            full.put(new LockName("/lock-" + i), fenceOf(1, 1));
        }
        Files.write(file, FenceFormat.encode(full));
        assertThatThrownBy(() -> guard.check(Grant.exclusive("/one-more", 5)))
                .isInstanceOf(GuardFailedException.class)
                .hasMessageContaining("1000 locks");
        guard.check(Grant.exclusive("/lock-0", 2));
    }

    @Test
    void aWriteMustNotAskItsOwnGuard() {
        assertThatIllegalStateException()
                .isThrownBy(() -> guard.guarded(Grant.exclusive(LOCK, 1), () -> {
                    new FileGuard(file).check(Grant.exclusive("/another", 2));
                    return null;
                }))
                .withMessageContaining("its own guard");
        guard.check(Grant.exclusive(LOCK, 1));
    }

    @Test
    void needsADirectoryAndNotToBeOne() {
        assertThatThrownBy(() -> new FileGuard(directory.resolve("none").resolve("fence")))
                .isInstanceOf(GuardFailedException.class)
                .hasMessageContaining("cannot be opened");
        assertThatIllegalArgumentException().isThrownBy(() -> new FileGuard(directory));
    }
}
