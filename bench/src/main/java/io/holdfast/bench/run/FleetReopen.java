package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import java.util.List;

/** All sessions end and come back at once, while others acquire and release. <b>Thread:</b> one. */
final class FleetReopen {
    private static final int CALLERS = 8;
    private static final int CLOSE_SECONDS = 300;
    private static final int WITHIN_SECONDS = 240;
    private static final long WARM_MILLIS = 3_000;
    private static final double AIM_SECONDS = 60;
    private static final double AIM_P99_NANOS = 500e6;

    private final FleetGround ground;

    FleetReopen(FleetGround ground) {
        this.ground = ground;
    }

    void run() throws InterruptedException {
        long term = ground.replicas.term();
        ground.outside(new Fields("probe-begin").with("callers", CALLERS));
        Thread.sleep(WARM_MILLIS);
        ground.outside(new Fields("probe-mark"));
        List<Fields> closed = ground.fleet.request(i -> new Fields("close").with("within", CLOSE_SECONDS));
        long begin = System.nanoTime();
        List<Fields> opened = ground.open(Integer.MAX_VALUE, WITHIN_SECONDS);
        double seconds = (System.nanoTime() - begin) / 1e9;
        Fields others = ground.outside(new Fields("probe-end"));
        long safe = Loads.sum(opened, "safe");
        System.out.println("reopened: all sessions closed within " + Table.decimals(Loads.max(closed, "nanos") / 1e9, 1)
                + " s, then all opened at once");
        ground.aims.check(
                safe == ground.plan.sessions() && seconds <= AIM_SECONDS,
                Table.count(safe) + " of " + Table.count(ground.plan.sessions()) + " sessions SAFE again within "
                        + Table.decimals(seconds, 1) + " s (aim: all within 60)");
        ground.aims.check(
                others.decimal("p99Nanos") < AIM_P99_NANOS && others.number("count") > 0,
                "other callers' acquire meanwhile: p50 " + Table.millis(others.number("p50Nanos")) + " ms, p99 "
                        + Table.millis(others.number("p99Nanos")) + " ms, worst "
                        + Table.millis(others.number("maxNanos")) + " ms of " + others.text("count")
                        + " (aim: p99 below 500)");
        ground.aims.check(
                others.number("errors") == 0,
                others.text("errors") + " of their calls failed, the first: " + others.text("firstError")
                        + " (aim: 0)");
        long now = ground.replicas.term();
        ground.aims.check(now == term, "the leader did not change meanwhile (term " + term + ", then " + now + ")");
    }
}
