package io.holdfast.bench.peers;

import io.holdfast.bench.driver.IdleSessions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;

/** ZooKeeper's own client, without Curator: two threads for each session. <b>Thread:</b> any. */
final class IdleZooKeepers implements IdleSessions {
    private static final int AT_ONCE = 100;
    private static final long OPEN_SECONDS = 180;
    private static final long POLL_MILLIS = 20;

    private final List<ZooKeeper> all = new ArrayList<>();

    IdleZooKeepers(String endpoints, int count, int sessionMillis) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(OPEN_SECONDS);
        int open = 0;
        while (open < count) {
            if (System.nanoTime() > end) {
                close();
                throw new IllegalStateException("only " + open + " of " + count + " sessions are open");
            }
            while (all.size() < count && all.size() - open < AT_ONCE) {
                all.add(new ZooKeeper(endpoints, sessionMillis, event -> {}));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            open = alive();
        }
    }

    @Override
    public int alive() {
        return (int) all.stream()
                .filter(each -> each.getState() == ZooKeeper.States.CONNECTED)
                .count();
    }

    /** Their sessions end with their lease: closing thousands one by one takes longer. */
    @Override
    public void close() {
        all.clear();
    }
}
