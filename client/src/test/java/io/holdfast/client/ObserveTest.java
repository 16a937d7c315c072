package io.holdfast.client;

import static io.holdfast.client.ClientBench.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Query;
import io.holdfast.protocol.frame.ClientFrame;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Following who leads and who is there: the present state first, then newer ones, and nothing old as certain. */
@Timeout(120)
final class ObserveTest {
    private static final String PATH = "/services/indexer";

    private final ClientBench bench = new ClientBench();

    @AfterEach
    void close() {
        bench.close();
    }

    /** Writes down what it is told. */
    private static final class Book<T> implements WatchListener<T> {
        final BlockingQueue<String> told = new LinkedBlockingQueue<>();
        private final java.util.function.Function<T, String> words;

        Book(java.util.function.Function<T, String> words) {
            this.words = words;
        }

        static Book<Optional<Leader>> ofLeader() {
            return new Book<>(state -> state.map(Leader::value).orElse("nobody"));
        }

        static Book<List<Member>> ofMembers() {
            return new Book<>(
                    state -> state.stream().map(Member::value).toList().toString());
        }

        @Override
        public void onState(T state) {
            told.add(words.apply(state));
        }

        @Override
        public void onUnsure(String reason) {
            told.add("unsure");
        }

        @Override
        public void onSure() {
            told.add("sure");
        }

        @Override
        public void onEnded(HoldfastException reason) {
            told.add("ended " + reason.getClass().getSimpleName());
        }
    }

    @Test
    void leadersAreToldInOrder() throws Exception {
        Book<Optional<Leader>> book = Book.ofLeader();
        Subscription observing = bench.client().election(PATH).observe(book);
        assertThat(book.told.take()).isEqualTo("nobody");
        Leadership a = bench.client().election(PATH).campaign("a");
        assertThat(book.told.take()).isEqualTo("a");
        CompletableFuture<Leadership> b = bench.client().election(PATH).campaignAsync("b");
        until(() -> bench.places() == 2);
        a.resign();
        assertThat(book.told.take()).isEqualTo("b");
        b.get().resign();
        assertThat(book.told.take()).isEqualTo("nobody");
        Leadership c = bench.client().election(PATH).campaign("c");
        assertThat(book.told.take()).isEqualTo("c");

        observing.close();
        c.resign();
        Book<Optional<Leader>> late = Book.ofLeader();
        bench.client().election(PATH).observe(late);
        assertThat(late.told.take()).isEqualTo("nobody");
        assertThat(book.told).isEmpty();
    }

    /** C03: cut off, nobody knows; what was told is not certain any more. */
    @Test
    void whoeverIsCutOffSaysThatItIsUnsure() throws Exception {
        Leadership a = bench.client().election(PATH).campaign("a");
        HoldfastClient client = bench.client();
        Book<Optional<Leader>> book = Book.ofLeader();
        client.election(PATH).observe(book);
        assertThat(book.told.take()).isEqualTo("a");
        bench.network.refuse(true);
        assertThat(book.told.take()).isEqualTo("unsure");
        bench.network.refuse(false);
        bench.passUntil(() -> !book.told.isEmpty());
        assertThat(book.told.take()).isEqualTo("sure");
        assertThat(a.isLeader()).isTrue();

        bench.network.refuse(true);
        assertThat(book.told.take()).isEqualTo("unsure");
        bench.breakPlaces(PATH);
        bench.network.refuse(false);
        bench.passUntil(() -> !book.told.isEmpty());
        assertThat(book.told.take()).isEqualTo("nobody");
    }

    @Test
    void theEndOfTheSessionIsToldAndEndsIt() throws Exception {
        HoldfastClient client = bench.client();
        Book<Optional<Leader>> book = Book.ofLeader();
        client.election(PATH).observe(book);
        assertThat(book.told.take()).isEqualTo("nobody");
        bench.expire(client);
        assertThat(book.told.take()).isEqualTo("ended SessionExpiredException");
        bench.client().election(PATH).campaign("a");
        client.newSession();
        client.election(PATH).observe(book);
        assertThat(book.told.take()).isEqualTo("a");
        assertThat(book.told).isEmpty();
    }

    @Test
    void membersAreTold() throws Exception {
        Group group = bench.client().group(PATH);
        Book<List<Member>> book = Book.ofMembers();
        group.observe(book);
        assertThat(book.told.take()).isEqualTo("[]");
        HoldfastClient owner = bench.client();
        owner.group(PATH).join("a");
        assertThat(book.told.take()).isEqualTo("[a]");
        Membership b = bench.client().group(PATH).join("b");
        assertThat(book.told.take()).isEqualTo("[a, b]");
        b.update("c");
        until(() -> newest(book).equals("[a, c]"));
        bench.expire(owner);
        until(() -> newest(book).equals("[c]"));
    }

    /** States may be skipped, the newest never. */
    private static String newest(Book<?> book) {
        String[] all = book.told.toArray(String[]::new);
        return all.length == 0 ? "" : all[all.length - 1];
    }

    /** However often it changes: one read at a time, and in the end the newest is told. */
    @Test
    void aStormOfChangesEndsWithTheNewest() throws Exception {
        AtomicInteger reading = new AtomicInteger();
        bench.network.loseThere(frame -> {
            if (frame instanceof ClientFrame.Read read && read.query() instanceof Query.ListPlaces) {
                reading.incrementAndGet();
            }
            return false;
        });
        Book<List<Member>> book = Book.ofMembers();
        bench.client().group(PATH).observe(book);
        Group group = bench.client().group(PATH);
        for (int i = 0; i < 200; i++) {
            group.join("m" + i).leave();
        }
        Membership last = group.join("last");
        until(() -> newest(book).equals("[last]"));
        assertThat(last.isMember()).isTrue();
        assertThat(reading.get()).isLessThanOrEqualTo(403);
    }

    /** A listener that stands still delays only itself, and keeps no queue behind it. */
    @Test
    void aSlowListenerIsToldTheNewestWhenItIsBack() throws Exception {
        BlockingQueue<String> goOn = new LinkedBlockingQueue<>();
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        bench.client().election(PATH).observe(state -> {
            told.add(state.map(Leader::value).orElse("nobody"));
            take(goOn);
        });
        assertThat(told.take()).isEqualTo("nobody");
        Election election = bench.client().election(PATH);
        for (int i = 0; i < 20; i++) {
            election.campaign("c" + i).resign();
        }
        election.campaign("newest");
        goOn.add("go");
        String next = told.take();
        while (!next.equals("newest")) {
            goOn.add("go");
            next = told.take();
        }
        goOn.add("go");
    }

    private static void take(BlockingQueue<String> queue) {
        try {
            queue.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
