package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is missing is refused at once, by the call that it is missing from, not by a thread that wants to tell somebody. */
@Timeout(120)
@SuppressWarnings("NullAway") // it is about callers that do not know better
final class ArgumentsTest {
    private static final String PATH = "/a";

    private final ClientBench bench = new ClientBench();
    private final HoldfastClient client = bench.client();

    @AfterEach
    void close() {
        bench.close();
    }

    private static void refused(String argument, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(argument);
    }

    @Test
    void aListenerMustBeThere() throws Exception {
        LockHold hold = client.lock(PATH).acquire();
        refused("listener", () -> hold.onLost(null));
        Leadership lead = client.election("/e").campaign("me");
        refused("listener", () -> lead.onLost(null));
        Permit permit = client.semaphore("/s", 1).acquire();
        refused("listener", () -> permit.onLost(null));
        Membership member = client.group("/g").join("me");
        refused("listener", () -> member.onLost(null));
        MultiHold both = client.locks(client.lock("/b"), client.lock("/c")).acquire();
        refused("listener", () -> both.onLost(null));
        refused("listener", () -> client.onState(null));
        refused("listener", () -> client.election("/e").observe(null));
        refused("listener", () -> client.group("/g").observe(null));
        refused("listener", () -> client.values().listen(PATH, null));
        refused("listener", () -> client.values().listenChildren(PATH, null));
        refused("listener", () -> client.values().listenExistence(PATH, null));
    }

    @Test
    void aWatcherMustBeThere() {
        Consumer<WatchEvent> none = null;
        refused("watcher", () -> client.values().getAndWatch(PATH, none));
        refused("watcher", () -> client.values().getAndWatchAsync(PATH, none));
        refused("watcher", () -> client.values().listAndWatch(PATH, none));
        refused("watcher", () -> client.values().listAndWatchAsync(PATH, none));
        refused("watcher", () -> client.values().existsAndWatch(PATH, none));
        refused("watcher", () -> client.values().existsAndWatchAsync(PATH, none));
    }

    @Test
    void aPathAndAnExecutorMustBeThere() {
        refused("path", () -> client.lock(null));
        refused("path", () -> client.values().get(null));
        refused("executor", () -> HoldfastClient.builder().callbackExecutor(null));
        refused("supplier", () -> HoldfastClient.builder().transport(null));
    }
}
