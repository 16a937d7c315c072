package io.holdfast.simulation.workload;

import io.holdfast.client.session.AcquireSpec;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.simulation.world.Rng;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What places there are to take: locks, one semaphore, one election, one group. Each recipe's path is used as one thing only, as an
 * application would.
 */
public final class Places {
    /** Who is at it is known to all after healing. */
    public static final NodePath GROUP = new NodePath("/groups/g");

    public static final NodePath ELECTION = new NodePath("/elections/e");
    private static final NodePath SEMAPHORE = new NodePath("/semaphores/s");
    private static final byte[] NO_VALUE = {};
    private static final int PERMITS = 2;

    private Places() {}

    /**
     * One to try for.
     *
     * @param name of who asks, unlike all others' so far
     */
    static AcquireSpec any(Rng rng, WorkloadConfig config, String name) {
        long delay = rng.chance(0.5) ? config.lockDelayMillis() : 0;
        if (!rng.chance(config.recipeShare())) {
            NodePath lock = lock(rng.below(config.locks()));
            LockMode mode = rng.chance(config.sharedShare()) ? LockMode.SHARED : LockMode.EXCLUSIVE;
            return new AcquireSpec(lock, mode, delay, NO_VALUE);
        }
        return switch (rng.below(4)) {
            case 0, 1 -> semaphore(delay, rng.chance(0.1) ? PERMITS + 1 : PERMITS);
            case 2 -> new AcquireSpec(ELECTION, LockMode.EXCLUSIVE, delay, bytes(name));
            default -> membership(name);
        };
    }

    private static AcquireSpec semaphore(long delayMillis, int permits) {
        return new AcquireSpec(SEMAPHORE, LockMode.PERMIT, delayMillis, NO_VALUE, permits);
    }

    static AcquireSpec membership(String name) {
        return new AcquireSpec(GROUP, LockMode.SHARED, 0, bytes(name));
    }

    /** Everything that there is, each to be taken alone. */
    public static List<AcquireSpec> all(int locks) {
        List<AcquireSpec> all = new ArrayList<>();
        for (int i = 0; i < locks; i++) {
            all.add(new AcquireSpec(lock(i), LockMode.EXCLUSIVE, 0, NO_VALUE));
        }
        all.add(semaphore(0, 1));
        all.add(new AcquireSpec(ELECTION, LockMode.EXCLUSIVE, 0, NO_VALUE));
        all.add(new AcquireSpec(GROUP, LockMode.EXCLUSIVE, 0, NO_VALUE));
        return all;
    }

    private static NodePath lock(int number) {
        return new NodePath("/locks/l" + number);
    }

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }
}
