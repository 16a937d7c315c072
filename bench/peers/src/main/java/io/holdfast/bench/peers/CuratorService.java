package io.holdfast.bench.peers;

import io.holdfast.bench.driver.CallerLock;
import io.holdfast.bench.driver.IdleSessions;
import io.holdfast.bench.driver.LockService;
import io.holdfast.bench.driver.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/** ZooKeeper through Curator's {@link InterProcessMutex}, the recipe that its users use. */
public final class CuratorService implements LockService {
    private static final int SESSION_MILLIS = 12_000;
    private static final int CONNECT_MILLIS = 15_000;
    private static final int RETRY_MILLIS = 50;
    private static final long START_SECONDS = 20;

    @Override
    public Session open(String endpoints) throws Exception {
        CuratorFramework client = CuratorFrameworkFactory.newClient(
                endpoints, SESSION_MILLIS, CONNECT_MILLIS, new RetryForever(RETRY_MILLIS));
        client.start();
        if (!client.blockUntilConnected((int) START_SECONDS, TimeUnit.SECONDS)) {
            client.close();
            throw new IllegalStateException("no connection to ZooKeeper within " + START_SECONDS + " s");
        }
        return new Open(client);
    }

    @Override
    public IdleSessions openIdle(String endpoints, int count) throws Exception {
        return new IdleZooKeepers(endpoints, count, SESSION_MILLIS);
    }

    private record Open(CuratorFramework client) implements Session {
        @Override
        public CallerLock lock(String name) {
            return new Held(client, new InterProcessMutex(client, name));
        }

        @Override
        public int queued(String name) throws Exception {
            Stat stat = client.checkExists().forPath(name);
            return stat == null ? 0 : stat.getNumChildren();
        }

        @Override
        public void put(String path, byte[] value) throws Exception {
            client.create().orSetData().forPath(path, value);
        }

        @Override
        public CompletableFuture<?> create(String path, byte[] value) {
            CompletableFuture<Integer> created = new CompletableFuture<>();
            try {
                client.create()
                        .inBackground((unused, event) -> {
                            if (event.getResultCode() == KeeperException.Code.OK.intValue()) {
                                created.complete(event.getResultCode());
                            } else {
                                created.completeExceptionally(
                                        KeeperException.create(KeeperException.Code.get(event.getResultCode()), path));
                            }
                        })
                        .forPath(path, value);
            } catch (Exception refused) {
                created.completeExceptionally(refused);
            }
            return created;
        }

        @Override
        public byte[] get(String path) throws Exception {
            // A read alone may be stale; only after a sync is it as new as the call.
            client.sync().forPath(path);
            return client.getData().forPath(path);
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private static final class Held implements CallerLock {
        private final CuratorFramework client;
        private final InterProcessMutex mutex;
        /** Session that it was taken in. */
        private long session;

        private boolean held;

        Held(CuratorFramework client, InterProcessMutex mutex) {
            this.client = client;
            this.mutex = mutex;
        }

        @Override
        public void acquire() throws Exception {
            mutex.acquire();
            session = sessionNow();
            held = true;
        }

        @Override
        public void release() throws Exception {
            mutex.release();
            held = false;
        }

        /** Its node lives as long as the session, so the same session after an answer means that it was never lost. */
        @Override
        public boolean stillHeld() throws Exception {
            if (!held) {
                return false;
            }
            client.checkExists().forPath("/");
            return sessionNow() == session;
        }

        private long sessionNow() throws Exception {
            return client.getZookeeperClient().getZooKeeper().getSessionId();
        }
    }
}
