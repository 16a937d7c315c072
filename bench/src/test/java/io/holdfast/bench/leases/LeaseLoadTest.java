package io.holdfast.bench.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.bench.leases.FakeLeases.Fault;
import io.holdfast.bench.load.Fields;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The load against a service that answers rightly, and against ones that do not: each fault is seen. */
@Timeout(120)
final class LeaseLoadTest {
    private static Fields burst(Fault fault) throws Exception {
        try (FakeLeases leases = new FakeLeases(fault)) {
            Fields request = new Fields("burst")
                    .with("count", 200)
                    .with("connections", 20)
                    .with("within", 60);
            return new Burst(new LeaseCalls(leases.address()), request).run();
        }
    }

    private static Fields pairs(Fault fault, int rate) throws Exception {
        try (FakeLeases leases = new FakeLeases(fault)) {
            Fields request = new Fields("pairs")
                    .with("callers", 4)
                    .with("names", 1)
                    .with("rate", rate)
                    .with("atMost", 40)
                    .with("warmup", 0)
                    .with("seconds", 100)
                    .with("pids", ProcessHandle.current().pid());
            return new Pairs(new LeaseCalls(leases.address()), request).run();
        }
    }

    @Test
    void aBurstIsAnsweredAndEachNameGrantedOnce() throws Exception {
        Fields figures = burst(Fault.NONE);
        assertThat(figures.number("names")).isEqualTo(100);
        assertThat(figures.number("granted")).isEqualTo(100);
        assertThat(figures.number("refused")).isEqualTo(100);
        assertThat(figures.number("twice")).isZero();
        assertThat(figures.number("otherwise")).isZero();
        assertThat(figures.number("unanswered")).isZero();
        assertThat(figures.number("errors")).isZero();
    }

    @Test
    void aNameThatIsGrantedTwiceIsSeen() throws Exception {
        Fields figures = burst(Fault.GRANTS_TWICE);
        assertThat(figures.number("twice")).isEqualTo(100);
    }

    @Test
    void aBurstThatIsRefusedFails() throws Exception {
        Fields figures = burst(Fault.UNAVAILABLE);
        assertThat(figures.number("errors")).isEqualTo(200);
        assertThat(figures.text("firstError")).contains("503");
    }

    @Test
    void pairsAtARateAndWithoutOneAreDone() throws Exception {
        for (int rate : new int[] {0, 50}) {
            Fields figures = pairs(Fault.NONE, rate);
            assertThat(figures.number("pairs")).isEqualTo(40);
            assertThat(figures.number("errors")).isZero();
            assertThat(figures.number("unanswered")).isZero();
            assertThat(figures.number("tokenFaults")).isZero();
        }
    }

    @Test
    void f3ATokenThatDoesNotRiseIsSeen() throws Exception {
        Fields figures = pairs(Fault.TOKENS_FALL, 0);
        assertThat(figures.number("tokenFaults")).isBetween(36L, 39L);
    }

    @Test
    void namesAreUsedOnceEach() throws Exception {
        try (FakeLeases leases = new FakeLeases(Fault.NONE)) {
            Fields request =
                    new Fields("names").with("count", 300).with("callers", 8).with("leaseMillis", 10_000);
            Fields figures = new ManyNames(new LeaseCalls(leases.address()), request).run();
            assertThat(figures.number("granted")).isEqualTo(300);
            assertThat(figures.number("errors")).isZero();
        }
    }

    @Test
    void routesThatAreNotServedAreSaidToBe() throws Exception {
        try (FakeLeases leases = new FakeLeases(Fault.NOT_SERVED)) {
            LeaseCalls calls = new LeaseCalls(leases.address());
            assertThatThrownBy(() -> LeaseMain.served(calls, 60))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not served")
                    .hasMessageContaining("POST /v1/leases/acquire: 404");
        }
    }

    @Test
    void routesThatAreServedNeedNoWords() throws Exception {
        try (FakeLeases leases = new FakeLeases(Fault.NONE)) {
            assertThat(LeaseMain.served(new LeaseCalls(leases.address()), 60)).isNotNull();
        }
    }
}
