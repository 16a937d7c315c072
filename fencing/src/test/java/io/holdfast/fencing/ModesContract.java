package io.holdfast.fencing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What forms that know many locks and shared grants do besides. */
public abstract class ModesContract extends GuardContract {
    @Override
    protected boolean knowsShared() {
        return true;
    }

    @Test
    void sharedHoldersDoNotOvertakeEachOther() throws Exception {
        check(Grant.shared(LOCK, 9));
        check(Grant.shared(LOCK, 7));
        check(Grant.shared(LOCK, 8));
        assertThat(fence(LOCK)).isEqualTo(fenceOf(0, 9));
    }

    @Test
    void aSharedTokenIsRefusedBelowTheHighestExclusiveOne() throws Exception {
        check(Grant.exclusive(LOCK, 5));
        refused(Grant.shared(LOCK, 4), 5);
        check(Grant.shared(LOCK, 6));
        refused(Grant.shared(LOCK, 4), 5);
        assertThat(fence(LOCK)).isEqualTo(fenceOf(5, 6));
    }

    @Test
    void anExclusiveTokenIsRefusedBelowTheHighestOfAll() throws Exception {
        check(Grant.exclusive(LOCK, 5));
        check(Grant.shared(LOCK, 9));
        refused(Grant.exclusive(LOCK, 5), 9);
        refused(Grant.exclusive(LOCK, 8), 9);
        check(Grant.exclusive(LOCK, 10));
        refused(Grant.shared(LOCK, 9), 10);
        assertThat(fence(LOCK)).isEqualTo(fenceOf(10, 10));
    }

    @Test
    void aRefusalOfOneModeSaysWhatWouldHaveBeenEnoughForIt() throws Exception {
        check(Grant.exclusive(LOCK, 5));
        check(Grant.shared(LOCK, 9));
        refused(Grant.shared(LOCK, 3), 5);
        refused(Grant.exclusive(LOCK, 3), 9);
    }

    @Test
    void locksDoNotKnowEachOther() throws Exception {
        check(Grant.exclusive("/a", 9));
        check(Grant.exclusive("/b", 1));
        check(Grant.exclusive("/A", 1));
        refused(Grant.exclusive("/a", 1), 9);
        assertThat(fence("/b")).isEqualTo(fenceOf(1, 1));
    }

    @Test
    void namesMayBeOddAndLong() throws Exception {
        for (String name : new String[] {"a b  c ", "' OR 1=1 --", "%_\\", "🔒", "é".repeat(512), "crc32c 00000000"}) {
            check(Grant.exclusive(name, 2));
            refused(Grant.exclusive(name, 1), 2);
            assertThat(fence(name)).isEqualTo(fenceOf(2, 2));
        }
    }
}
