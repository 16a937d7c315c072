package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.server.ServerProcess;
import java.util.List;

/** A proxy is killed under its clients, each of which holds a lock. <b>Thread:</b> one. */
final class FleetProxyDeath {
    private static final int WITHIN_SECONDS = 60;
    private static final double AIM_SECONDS = 5;

    private final FleetGround ground;

    FleetProxyDeath(FleetGround ground) {
        this.ground = ground;
    }

    void run() throws InterruptedException {
        ServerProcess proxy = ground.proxies.servers().get(0);
        String endpoint = ground.proxies.address(0);
        Fields before = ground.outside(holds());
        List<Fields> marked = ground.fleet.request(i -> new Fields("mark").with("endpoint", endpoint));
        long clients = Loads.sum(marked, "affected");
        proxy.signal("KILL");
        long killed = System.nanoTime();
        List<Fields> back = ground.fleet.request(
                i -> new Fields("back").with("since", killed).with("within", WITHIN_SECONDS));
        long silent = Loads.sum(back, "silent");
        double seconds = Loads.max(back, "backNanos") / 1e9;
        long failures = Loads.sum(back, "failures");
        System.out.println(
                proxy.name() + " killed (kill -9) with " + Table.count(clients) + " clients that hold a lock each");
        ground.aims.check(clients > 0, clients + " clients were connected to it (aim: at least 1)");
        ground.aims.check(
                silent == 0 && failures == 0 && seconds <= AIM_SECONDS,
                "all have an answer again after " + Table.decimals(seconds, 2) + " s, " + silent + " have none, "
                        + failures + " calls failed (aim: all within 5 s); the first problem: "
                        + Loads.first(back, "problem"));
        long expiries = Loads.sum(back, "expiries");
        long lost = Loads.sum(back, "lost");
        ground.aims.check(
                expiries == 0 && lost == 0,
                expiries + " sessions expired, " + lost + " holds in doubt or lost (aim: 0, 0); "
                        + Loads.sum(back, "jeopardies") + " times in jeopardy since they were opened");
        Fields after = ground.outside(holds());
        boolean same = before.number("count") == ground.plan.sessions()
                && after.toString().equals(before.toString());
        ground.aims.check(
                same,
                "the cell names " + Table.count(before.number("count")) + " locks before and "
                        + Table.count(after.number("count")) + " after, "
                        + (same ? "all with the same tokens" : "and they are NOT the same") + " (aim: the same)");
    }

    private static Fields holds() {
        return new Fields("holds").with("prefix", "/fleet/locks");
    }
}
