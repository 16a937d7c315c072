package io.holdfast.fencing.file;

import io.holdfast.fencing.Grant;
import io.holdfast.fencing.StaleTokenException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/**
 * A process of {@link FileGuardProcessesIT}: {@code append FILE LOG SEED} writes random tokens to the log under the guard;
 * {@code hang FILE} says {@code inside} in a guarded write and stays there.
 */
final class GuardedAppender {
    static final String LOCK = "/log";
    static final int GRANTS = 100;

    private GuardedAppender() {}

    public static void main(String[] args) throws IOException {
        FileGuard guard = new FileGuard(Path.of(args[1]));
        if (args[0].equals("hang")) {
            guard.guarded(Grant.exclusive(LOCK, 1), () -> {
                System.out.println("inside");
                return System.in.read();
            });
            return;
        }
        Path log = Path.of(args[2]);
        Random random = new Random(Long.parseLong(args[3]));
        for (int i = 0; i < GRANTS; i++) {
            long token = 1 + i * 5L + random.nextInt(50);
            try {
                guard.guarded(
                        Grant.exclusive(LOCK, token),
                        () -> Files.writeString(
                                log, token + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND));
            } catch (StaleTokenException expected) {
                // counted by the guard
            }
        }
        System.out.println("rejections " + guard.rejections());
    }
}
