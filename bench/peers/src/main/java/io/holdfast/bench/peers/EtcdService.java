package io.holdfast.bench.peers;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.LeaseOption;
import io.etcd.jetcd.options.PutOption;
import io.grpc.stub.StreamObserver;
import io.holdfast.bench.driver.CallerLock;
import io.holdfast.bench.driver.IdleSessions;
import io.holdfast.bench.driver.LockService;
import io.holdfast.bench.driver.Session;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** etcd through jetcd's lock service; a session is a client with a lease that it keeps alive. */
public final class EtcdService implements LockService {
    private static final long LEASE_SECONDS = 12;
    private static final long CALL_SECONDS = 30;

    @Override
    public Session open(String endpoints) throws Exception {
        String[] urls = Arrays.stream(endpoints.split(","))
                .map(endpoint -> "http://" + endpoint)
                .toArray(String[]::new);
        Client client = Client.builder().endpoints(urls).build();
        try {
            return new Open(client, grant(client));
        } catch (Exception failed) {
            client.close();
            throw failed;
        }
    }

    /** Each a client with a lease that it keeps alive. */
    @Override
    public IdleSessions openIdle(String endpoints, int count) throws Exception {
        List<Session> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(open(endpoints));
        }
        return new IdleSessions() {
            @Override
            public int alive() {
                return all.size();
            }

            @Override
            public void close() throws Exception {
                for (Session session : all) {
                    session.close();
                }
            }
        };
    }

    private static long grant(Client client) throws Exception {
        long lease = client.getLeaseClient()
                .grant(LEASE_SECONDS)
                .get(CALL_SECONDS, TimeUnit.SECONDS)
                .getID();
        client.getLeaseClient().keepAlive(lease, new Ignored());
        return lease;
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    private static final class Open implements Session {
        private final Client client;
        private final long lease;
        private final Set<String> names = new HashSet<>();

        Open(Client client, long lease) {
            this.client = client;
            this.lease = lease;
        }

        /** Two waiters with one lease would be one waiter to etcd, so the second of a name has a lease of its own. */
        @Override
        public synchronized CallerLock lock(String name) throws Exception {
            return new Held(client, names.add(name) ? lease : grant(client), bytes(name));
        }

        @Override
        public int queued(String name) throws Exception {
            GetOption count =
                    GetOption.builder().isPrefix(true).withCountOnly(true).build();
            return (int) client.getKVClient()
                    .get(bytes(name + "/"), count)
                    .get(CALL_SECONDS, TimeUnit.SECONDS)
                    .getCount();
        }

        @Override
        public void put(String path, byte[] value) throws Exception {
            client.getKVClient().put(bytes(path), ByteSequence.from(value)).get(CALL_SECONDS, TimeUnit.SECONDS);
        }

        @Override
        public CompletableFuture<?> create(String path, byte[] value) {
            ByteSequence key = bytes(path);
            return client.getKVClient()
                    .txn()
                    .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.version(0)))
                    .Then(Op.put(key, ByteSequence.from(value), PutOption.DEFAULT))
                    .commit()
                    .thenAccept(done -> {
                        if (!done.isSucceeded()) {
                            throw new IllegalStateException(path + " exists");
                        }
                    });
        }

        @Override
        public byte[] get(String path) throws Exception {
            return client.getKVClient()
                    .get(bytes(path))
                    .get(CALL_SECONDS, TimeUnit.SECONDS)
                    .getKvs()
                    .get(0)
                    .getValue()
                    .getBytes();
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private static final class Held implements CallerLock {
        private final Client client;
        private final long lease;
        private final ByteSequence name;
        private @Nullable ByteSequence key;

        Held(Client client, long lease, ByteSequence name) {
            this.client = client;
            this.lease = lease;
            this.name = name;
        }

        @Override
        public void acquire() throws Exception {
            key = client.getLockClient().lock(name, lease).get().getKey();
        }

        @Override
        public void release() throws Exception {
            client.getLockClient().unlock(key).get(CALL_SECONDS, TimeUnit.SECONDS);
            key = null;
        }

        @Override
        public boolean stillHeld() throws Exception {
            return key != null
                    && client.getLeaseClient()
                                    .timeToLive(lease, LeaseOption.DEFAULT)
                                    .get(CALL_SECONDS, TimeUnit.SECONDS)
                                    .getTTL()
                            > 0
                    && client.getKVClient()
                                    .get(key)
                                    .get(CALL_SECONDS, TimeUnit.SECONDS)
                                    .getCount()
                            == 1;
        }
    }

    private static final class Ignored implements StreamObserver<LeaseKeepAliveResponse> {
        @Override
        public void onNext(LeaseKeepAliveResponse response) {}

        @Override
        public void onError(Throwable problem) {}

        @Override
        public void onCompleted() {}
    }
}
