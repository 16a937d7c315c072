package io.holdfast.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Hundreds of random histories of whole cells; see {@link WorldStory} for what happens and what is judged. */
class RaftStoryTest {
    private static final int SEEDS = Integer.getInteger("holdfast.raft.seeds", 200);

    @Test
    void safeInEveryHistoryAndLiveAfterIt() {
        WorldCounters total = new WorldCounters();
        for (long seed = 1; seed <= SEEDS; seed++) {
            total.addAll(StoryRunner.run(seed).counters());
        }
        String[] reached = {
            "message dropped",
            "message repeated",
            "message late",
            "message cut off",
            "partition",
            "partition one way",
            "crash leader",
            "crash follower",
            "crash all",
            "crash loses writes",
            "crash while installing",
            "freeze leader",
            "freeze follower",
            "slow disk",
            "snapshot",
            "snapshot installed",
            "chunk unavailable",
            "chunk write failed",
            "transfer asked",
            "vote by transfer",
            "append rejected",
            "batched inputs",
            "read confirmed",
            "proposed",
            "applied",
            "refused BUSY",
            "refused CHANGE_PENDING",
            "refused NOT_LEADER",
            "refused INVALID_CHANGE",
            "refused NOT_CAUGHT_UP",
            "refused TRANSFERRING",
            "role LEADER",
            "role PRE_CANDIDATE",
            "role CANDIDATE",
            "role FOLLOWER",
            "TimeoutNow",
            "PreVoteResponse"
        };
        for (String what : reached) {
            assertThat(total.of(what)).as(what + " in " + total).isPositive();
        }
    }

    @Test
    void aSeedReplaysExactly() {
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(StoryRunner.run(seed).traceHash())
                    .isEqualTo(StoryRunner.run(seed).traceHash());
        }
    }
}
