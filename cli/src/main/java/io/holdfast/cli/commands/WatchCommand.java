package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.Subscription;
import io.holdfast.client.Value;
import io.holdfast.client.WatchListener;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast watch}: prints changes from its start on, as {@code etcdctl watch} does. */
@Command(
        name = "watch",
        description = {
            "Print every newer state of a value from now on, until stopped.",
            "Three lines for each: PUT or DELETE, the path, the value. The present state is not printed; states that are"
                    + " overtaken may be skipped, the newest never, also across lost connections and fail-overs.",
            "'watching PATH' on standard error says that it has begun."
        },
        footer = {
            "%nExamples:",
            "  holdfast watch /config/flag",
            "  holdfast watch /config/flag --count 1 && echo changed",
            "  holdfast watch /config/flag --output json    # one document on a line for each change",
            "%nExit status: 0 after --count changes, 1 a bad path, 2 wrong usage, 3 cell unreachable,"
                    + " 5 the cell ended the session, 128+n after a signal."
        })
public final class WatchCommand extends CellCommand {
    @Parameters(index = "0", paramLabel = "PATH", description = "Path of the value; it need not exist.")
    private String path;

    @Option(names = "--count", paramLabel = "N", description = "Exit after so many changes.")
    private @Nullable Integer count;

    /** What the listener was told: a state, a note for people, or the end. */
    private record Told(
            @Nullable Optional<Value> state,
            @Nullable String note,
            @Nullable HoldfastException end) {}

    private final Handover<Told> told = new Handover<>();

    @Override
    protected void check() {
        if (count != null && count < 1) {
            throw CliException.usage("--count must be 1 or more, not " + count);
        }
    }

    @Override
    protected void run(HoldfastClient client, Console console) {
        try (told;
                Subscription listening = client.values().listen(path, new Listener())) {
            Optional<Value> first = state(console, options().callTimeout().toNanos());
            if (first == null) {
                throw CliException.of(
                        ExitStatus.UNREACHABLE,
                        "UNREACHABLE",
                        "no answer from a leader within "
                                + options().callTimeout().toMillis() + " ms");
            }
            if (!options().isQuiet()) {
                console.note("watching " + path);
            }
            follow(console);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void follow(Console console) throws InterruptedException {
        for (long printed = 0; count == null || printed < count; printed++) {
            Optional<Value> next = null;
            while (next == null) {
                next = state(console, Long.MAX_VALUE);
            }
            print(next, console);
        }
    }

    /** The next state; null if there is none in time. */
    private @Nullable Optional<Value> state(Console console, long timeoutNanos) throws InterruptedException {
        long startNanos = System.nanoTime();
        while (true) {
            Told next = told.take(timeoutNanos - (System.nanoTime() - startNanos));
            if (next == null || next.state() != null) {
                return next == null ? null : next.state();
            }
            if (next.end() != null) {
                throw next.end();
            }
            if (options().isVerbose() && next.note() != null) {
                console.note(next.note());
            }
        }
    }

    private void print(Optional<Value> state, Console console) {
        if (options().isJson()) {
            Map<String, @Nullable Object> document =
                    Json.object("type", state.isPresent() ? "PUT" : "DELETE", "path", path);
            state.ifPresent(value -> {
                ValueText.put(value.bytes(), document);
                document.put("version", value.version());
                document.put("createRevision", value.createRevision());
                document.put("modifyRevision", value.modifyRevision());
            });
            console.result(Json.write(document));
            return;
        }
        console.result((state.isPresent() ? "PUT" : "DELETE") + "\n" + path);
        state.ifPresent(value -> console.result(value.bytes()));
        console.result("");
    }

    private final class Listener implements WatchListener<Optional<Value>> {
        @Override
        public void onState(Optional<Value> state) {
            told.give(new Told(state, null, null));
        }

        @Override
        public void onUnsure(String reason) {
            told.give(new Told(null, "holdfast: what was printed last may be old: " + reason, null));
        }

        @Override
        public void onSure() {
            told.give(new Told(null, "holdfast: connected again, nothing has changed", null));
        }

        @Override
        public void onEnded(HoldfastException reason) {
            told.give(new Told(null, null, reason));
        }
    }
}
