package io.holdfast.cli.commands;

import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.Json;
import io.holdfast.client.Leader;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How {@code leader} says who leads: in text a leader is a result and all else a note, which {@code -q} silences; in JSON each is a
 * document.
 *
 * <p><b>Thread:</b> one at a time.
 */
record LeaderReport(String election, Console console, boolean json, boolean quiet) {
    /** Who leads now; another than was said before. */
    void leader(Optional<Leader> leader) {
        if (json) {
            console.result(Json.write(document(leader)));
        } else if (leader.isPresent()) {
            console.result(leader.get().value());
        } else {
            note("nobody leads " + election);
        }
    }

    /** What was said last may be old. */
    void unsure(String reason) {
        if (json) {
            console.result(Json.write(Json.object("election", election, "unsure", reason)));
        } else {
            note("not certain any more: " + reason);
        }
    }

    /** What was said last is so still; it is not said again. */
    void sure() {
        if (json) {
            console.result(Json.write(Json.object("election", election, "unsure", null)));
        } else {
            note("certain again, nothing has changed");
        }
    }

    private void note(String text) {
        if (!quiet) {
            console.note("holdfast: " + text);
        }
    }

    private Map<String, @Nullable Object> document(Optional<Leader> leader) {
        return leader.map(found -> Json.object(
                        "election", found.election(),
                        "leader", found.value(),
                        "token", found.token().value(),
                        "place", found.place(),
                        "client", found.clientName()))
                .orElseGet(() -> Json.object("election", election, "leader", null));
    }
}
