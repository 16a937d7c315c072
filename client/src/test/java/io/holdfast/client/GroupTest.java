package io.holdfast.client;

import static io.holdfast.client.ClientBench.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.Operation;
import io.holdfast.protocol.frame.ClientFrame;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is there, and who knows that it is. */
@Timeout(120)
final class GroupTest {
    private static final String PATH = "/services/api";

    private final ClientBench bench = new ClientBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private static List<String> values(Group group) {
        return group.members().stream().map(Member::value).toList();
    }

    @Test
    void whoeverJoinsIsListedUntilItLeaves() throws Exception {
        Group group = bench.client().group(PATH);
        assertThat(group.members()).isEmpty();
        Membership a = bench.client().group(PATH).join("a:1");
        Membership b = bench.client().group(PATH).joinAsync("b:1").get();
        bench.client().lock(PATH + "/below").acquire();
        assertThat(a.isMember()).isTrue();
        a.ensureMember();
        assertThat(values(group)).containsExactly("a:1", "b:1");
        assertThat(group.membersAsync().get().get(0)).isEqualTo(new Member("a:1", a.token(), a.place(), "client-1"));
        assertThat(a.leave()).isTrue();
        assertThat(a.isMember()).isFalse();
        assertThat(values(group)).containsExactly("b:1");
        b.close();
        assertThat(group.members()).isEmpty();
    }

    /** Invariant 1 of Membership: at no moment is there none. */
    @Test
    void anUpdateIsNeverUnlisted() {
        Group group = bench.client().group(PATH);
        Membership member = bench.client().group(PATH).join("old");
        AtomicInteger fewest = new AtomicInteger(Integer.MAX_VALUE);
        bench.network.loseBack(frame -> {
            fewest.accumulateAndGet(bench.places(), Math::min);
            return false;
        });
        member.update("new");
        assertThat(bench.places()).as("the old place is left").isEqualTo(1);
        assertThat(member.value()).isEqualTo("new");
        until(() -> values(group).equals(List.of("new")));
        assertThat(member.isMember()).isTrue();
        member.updateAsync("newer").join();
        until(() -> values(group).equals(List.of("newer")));
        bench.network.loseBack(frame -> false);
        assertThat(fewest).hasValue(1);
        member.close();
        assertThat(group.members()).isEmpty();
    }

    @Test
    void theLossIsToldOnceAlsoAfterAnUpdate() throws Exception {
        HoldfastClient client = bench.client();
        Membership member = client.group(PATH).join("a");
        BlockingQueue<String> lost = new LinkedBlockingQueue<>();
        member.onLost((which, reason) -> lost.add(reason));
        member.update("b");
        bench.expire(client);
        assertThat(lost.take()).contains("operator");
        assertThat(member.isMember()).isFalse();
        assertThatThrownBy(member::ensureMember).isInstanceOf(HoldLostException.class);
        assertThatThrownBy(() -> member.update("c")).isInstanceOf(HoldLostException.class);
        member.onLost((which, reason) -> lost.add("late"));
        assertThat(lost.take()).isEqualTo("late");
        assertThat(lost).isEmpty();
        assertThat(client.group(PATH).members()).isEmpty();

        assertThatThrownBy(() -> client.group(PATH).join("a")).isInstanceOf(SessionExpiredException.class);
        client.newSession(); // to join again is the application's decision
        assertThat(client.group(PATH).join("a").token()).isGreaterThan(member.token());
    }

    /** C35: it joined, registered a listener, and kept nothing else. */
    @Test
    void theLossIsToldAlsoIfNobodyHasTheHandleAnyMore() throws Exception {
        HoldfastClient client = bench.client();
        BlockingQueue<String> lost = new LinkedBlockingQueue<>();
        client.group(PATH).join("a").onLost((which, reason) -> lost.add(reason));
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        bench.expire(client);
        assertThat(lost.take()).contains("operator");
    }

    @Test
    void afterLeavingThereIsNothingToUpdate() {
        Membership member = bench.client().group(PATH).join("a");
        member.leave();
        assertThatThrownBy(() -> member.update("b"))
                .isInstanceOf(HoldLostException.class)
                .hasMessageContaining("left");
        assertThat(bench.places()).isZero();
    }

    /** It left while its update was on the way: what the update made is given back. */
    @Test
    void anUpdateThatComesAfterLeavingIsUndone() throws Exception {
        Membership member = bench.client().group(PATH).join("a");
        bench.network.loseThere(frame ->
                frame instanceof ClientFrame.Request request && request.operation() instanceof Operation.Acquire);
        CompletableFuture<Void> update = member.updateAsync("b");
        CompletableFuture<Boolean> left = member.leaveAsync();
        bench.passUntil(left::isDone);
        bench.network.loseThere(frame -> false);
        bench.passUntil(update::isDone);
        assertThatThrownBy(update::get).cause().isInstanceOf(HoldfastException.class);
        bench.passUntil(() -> bench.places() == 0);
    }

    @Test
    void aLockInUseIsNoGroup() throws Exception {
        LockHold lock = bench.client().lock(PATH).acquire();
        Group group = bench.client().group(PATH);
        assertThatThrownBy(() -> group.join("a"))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.reason()).isEqualTo(ErrorCode.WRONG_KIND));
        assertThatThrownBy(() -> group.joinAsync("a").get()).hasCauseInstanceOf(RefusedException.class);
        assertThat(group.members()).isEmpty();
        assertThat(bench.places()).isEqualTo(1);
        lock.release();
    }

    /** C99: a group of any size is read in pages. */
    @Test
    void aLargeGroupIsReadPageByPage() {
        Group group = bench.client().group(PATH);
        for (int i = 0; i < 1_100; i++) {
            group.join("member " + i);
        }
        List<Member> members = group.members();
        assertThat(members).hasSize(1_100);
        assertThat(members.get(1_099).value()).isEqualTo("member 1099");
        assertThat(group.membersAsync().join()).isEqualTo(members);
    }
}
