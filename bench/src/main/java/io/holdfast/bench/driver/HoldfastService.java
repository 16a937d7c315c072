package io.holdfast.bench.driver;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockHold;
import io.holdfast.client.LockRecipe;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Holdfast through its public client without a cache, else with default settings. */
public final class HoldfastService implements LockService {
    @Override
    public Session open(String endpoints) {
        return new Open(HoldfastClient.builder()
                .withoutCache() // what is measured is the cell
                .endpoints(endpoints)
                .build());
    }

    @Override
    public IdleSessions openIdle(String endpoints, int count) throws InterruptedException {
        return new BareSessions(endpoints, count);
    }

    private record Open(HoldfastClient client) implements Session {
        @Override
        public CallerLock lock(String name) {
            return new Held(client, client.lock(name));
        }

        @Override
        public int queued(String name) {
            return client.admin().locks(name).size();
        }

        @Override
        public void put(String path, byte[] value) {
            client.values().put(path, value);
        }

        @Override
        public CompletableFuture<?> create(String path, byte[] value) {
            return client.values().createAsync(path, value);
        }

        @Override
        public byte[] get(String path) {
            return client.values().get(path).orElseThrow().bytes();
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private static final class Held implements CallerLock {
        private final HoldfastClient client;
        private final LockRecipe recipe;
        private @Nullable LockHold hold;

        Held(HoldfastClient client, LockRecipe recipe) {
            this.client = client;
            this.recipe = recipe;
        }

        @Override
        public void acquire() throws InterruptedException {
            hold = recipe.acquire();
        }

        @Override
        public void release() {
            LockHold held = held();
            hold = null;
            if (!held.release()) {
                throw new IllegalStateException(held + " was gone before its release");
            }
        }

        @Override
        public boolean stillHeld() {
            LockHold held = held();
            return held.isHeld() && client.admin().checkToken(recipe.path(), held.token());
        }

        @Override
        public long token() {
            LockHold held = hold;
            return held == null ? 0 : held.token().value();
        }

        private LockHold held() {
            LockHold held = hold;
            if (held == null) {
                throw new IllegalStateException("not held: " + recipe);
            }
            return held;
        }
    }
}
