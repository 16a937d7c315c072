package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.Leader;
import io.holdfast.client.Subscription;
import io.holdfast.client.WatchListener;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast leader}. */
@Command(
        name = "leader",
        description = {
            "Print what the leader of an election campaigned with; exit 1 if nobody leads.",
            "Brief times without a leader are normal, between two leads.",
            "",
            "With --watch: print the present leader, then each newer one, until stopped. In text mode 'nobody leads' and what is not"
                    + " certain go to standard error; in JSON each is a document on a line."
        },
        footer = {
            "%nExamples:",
            "  holdfast leader /services/indexer",
            "  curl http://$(holdfast leader /services/indexer)/status",
            "  holdfast leader /services/indexer --output json    # with its token",
            "  holdfast leader /services/indexer --watch"
        })
public final class LeaderCommand extends CellCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Path of the election.")
    private String name;

    @Option(names = "--watch", description = "Go on with each newer leader, until stopped.")
    private boolean watch;

    /** What is to be said next; exactly one is set. */
    private record Told(
            @Nullable Optional<Leader> leader,
            @Nullable String doubt,
            @Nullable HoldfastException end) {}

    private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();

    @Override
    protected void run(HoldfastClient client, Console console) {
        if (watch) {
            follow(client, console);
            return;
        }
        Optional<Leader> leader = client.election(name).leader();
        if (options().isJson()) {
            console.result(Json.write(document(leader)));
        }
        if (leader.isEmpty()) {
            throw CliException.of(ExitStatus.REFUSED, "NO_LEADER", "nobody leads " + name);
        }
        if (!options().isJson()) {
            console.result(leader.get().value());
        }
    }

    private Map<String, @Nullable Object> document(Optional<Leader> leader) {
        return leader.map(found -> Json.object(
                        "election", found.election(),
                        "leader", found.value(),
                        "token", found.token().value(),
                        "place", found.place(),
                        "client", found.clientName()))
                .orElseGet(() -> Json.object("election", name, "leader", null));
    }

    private void follow(HoldfastClient client, Console console) {
        try (Subscription following = client.election(name).observe(new Listener())) {
            Told first = told.poll(options().callTimeout().toNanos(), TimeUnit.NANOSECONDS);
            if (first == null) {
                throw CliException.of(
                        ExitStatus.UNREACHABLE,
                        "UNREACHABLE",
                        "no answer from a leader within "
                                + options().callTimeout().toMillis() + " ms");
            }
            say(first, console);
            while (true) {
                say(told.take(), console);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void say(Told next, Console console) {
        if (next.end() != null) {
            throw next.end();
        }
        Optional<Leader> leader = next.leader();
        if (leader == null) {
            if (options().isJson()) {
                console.result(Json.write(Json.object("election", name, "unsure", next.doubt())));
            } else {
                console.note("holdfast: not certain any more: " + next.doubt());
            }
        } else if (options().isJson()) {
            console.result(Json.write(document(leader)));
        } else if (leader.isPresent()) {
            console.result(leader.get().value());
        } else {
            console.note("holdfast: nobody leads " + name);
        }
    }

    /** After a doubt the leader is said again, also if it is the same. */
    private final class Listener implements WatchListener<Optional<Leader>> {
        private Optional<Leader> last = Optional.empty();

        @Override
        public void onState(Optional<Leader> state) {
            last = state;
            told.add(new Told(state, null, null));
        }

        @Override
        public void onUnsure(String reason) {
            told.add(new Told(null, reason, null));
        }

        @Override
        public void onSure() {
            told.add(new Told(last, null, null));
        }

        @Override
        public void onEnded(HoldfastException reason) {
            told.add(new Told(null, null, reason));
        }
    }
}
