package io.holdfast.server.parts;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.raft.RaftOutput.Role;
import io.holdfast.replica.ReplicaStatus;
import io.holdfast.replica.ReplicaStatus.Caches;
import io.holdfast.replica.ReplicaStatus.CellView;
import io.holdfast.replica.ReplicaStatus.Sizes;
import io.holdfast.storage.CellId;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeadsToGoTest {
    private static final CellId MAIN = new CellId("main");
    private static final CellId SHARD = new CellId("shard-00");

    private final LeadsToGo leads = new LeadsToGo("r1");

    private static CellView view(CellId cell, boolean serving) {
        Role role = serving ? Role.LEADER : Role.FOLLOWER;
        return new CellView(cell, role, 1, "r1", 1, "", 1, serving, new Sizes(0, 0, 0, 0, 0, 0), 0, Caches.NONE);
    }

    private static ReplicaStatus status(boolean main, boolean shard) {
        return new ReplicaStatus(true, false, List.of(view(MAIN, main), view(SHARD, shard)));
    }

    @Test
    void allAreGoneWhenOthersLeadEach() {
        assertThat(leads.begin(status(true, true))).containsExactly(MAIN, SHARD);
        leads.leaderKnown(MAIN, null);
        leads.leaderKnown(MAIN, "r1");
        leads.leaderKnown(MAIN, "r2");
        assertThat(leads.allGone()).isNotDone();
        assertThat(leads.left()).containsExactly(SHARD);
        leads.leaderKnown(SHARD, "r3");
        assertThat(leads.allGone()).isDone();
    }

    @Test
    void onlyWhatItLeadsCounts() {
        assertThat(leads.begin(status(false, false))).isEmpty();
    }

    /** It moved between the begin of the listening and the look at the status. */
    @Test
    void whatWentBeforeIsNotWaitedFor() {
        leads.leaderKnown(SHARD, "r2");
        assertThat(leads.begin(status(true, true))).containsExactly(MAIN);
    }
}
