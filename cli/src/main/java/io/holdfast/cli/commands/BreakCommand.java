package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.RefusedException;
import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast break}: finds the places, names each with its token, and so can never hit a later holder (R4.4, C17). */
@Command(
        name = "break",
        description = {
            "End the hold of a lock, or one place in its queue, and wait until it has ended; the session lives on.",
            "",
            "Its client is told to stop, and the next in line is let in when it has. A client that does not answer loses its"
                    + " whole session when the lease that was promised to it is over; never before. A lock-delay is ended too."
        },
        footer = {
            "%nExamples:",
            "  holdfast break /jobs/reindex                            # whoever holds it now, all shared holders",
            "  holdfast break /jobs/reindex --token 4711               # only the hold, or the waiter, with this token",
            "  holdfast break /jobs/reindex/x-00000000000000004711     # the same",
            "%nExit status: 0 broken, 1 nobody holds it, 3 cell unreachable, 4 still waiting for its client when the call timeout"
                    + " was over (it goes on ending; ask again), 5 the token is no present one's."
        })
public final class BreakCommand extends CellCommand {
    private static final Pattern PLACE = Pattern.compile("/[xs]-([0-9]{20})$");

    @Parameters(
            index = "0",
            paramLabel = "PATH",
            description = "Path of a lock, or of a place as 'locks --output json' shows it.")
    private String path;

    @Option(names = "--token", paramLabel = "T", description = "Only the place with this token.")
    private @Nullable Long token;

    /** What is broken. */
    private record Target(String place, long token) {}

    private static @Nullable Target placeAt(String path) {
        Matcher place = PLACE.matcher(path);
        try {
            return place.find() ? new Target(path, Long.parseLong(place.group(1))) : null;
        } catch (NumberFormatException beyond) {
            return null; // no token has so many digits
        }
    }

    @Override
    protected void run(HoldfastClient client, Console console) {
        List<Target> targets = targets(client);
        EndingRun run = new EndingRun(console, options());
        List<Object> documents = new ArrayList<>();
        Map<Target, Optional<Outcome.BeingEnded>> begun = begin(client, run, targets);
        for (Map.Entry<Target, Optional<Outcome.BeingEnded>> entry : begun.entrySet()) {
            Target target = entry.getKey();
            Outcome.BeingEnded first = entry.getValue().orElse(null);
            Outcome.BeingEnded ended = run.run(target.place(), first, () -> ask(client, target));
            documents.add(document(target, ended));
            if (!options().isJson()) {
                console.result("broken " + target.place() + " with token " + target.token()
                        + (ended.session() == null ? "" : " of session " + ended.session()));
            }
        }
        if (options().isJson()) {
            console.result(Json.write(Json.object("broken", documents)));
        }
    }

    /** All are asked for before the first is waited for; one that has gone by itself meanwhile is left out. */
    private Map<Target, Optional<Outcome.BeingEnded>> begin(
            HoldfastClient client, EndingRun run, List<Target> targets) {
        Map<Target, Optional<Outcome.BeingEnded>> begun = new LinkedHashMap<>();
        for (Target target : targets) {
            try {
                begun.put(target, Optional.ofNullable(run.begin(() -> ask(client, target))));
            } catch (RefusedException refused) {
                if (refused.reason() != ErrorCode.NOT_FOUND) {
                    throw refused;
                }
            }
        }
        if (begun.isEmpty()) {
            throw nobody("");
        }
        return begun;
    }

    private CliException nobody(String rider) {
        return CliException.of(ExitStatus.REFUSED, "NOT_FOUND", "nobody holds " + path + rider);
    }

    private static Outcome.BeingEnded ask(HoldfastClient client, Target target) {
        return client.admin().breakPlace(target.place(), new FencingToken(target.token()));
    }

    private static Object document(Target target, Outcome.BeingEnded ended) {
        return Json.object(
                "place", target.place(),
                "token", target.token(),
                "session", ended.session() == null ? null : ended.session().value(),
                "client", ended.clientName());
    }

    private List<Target> targets(HoldfastClient client) {
        Target named = placeAt(path);
        if (named != null) {
            if (token != null && token != named.token()) {
                throw wrongToken();
            }
            return List.of(named);
        }
        List<Target> targets = new ArrayList<>();
        int waiting = 0;
        for (Answer.PlaceInfo place : client.admin().locks(path)) {
            boolean ofLock = place.lock().value().equals(path);
            boolean inTheWay = place.held() || place.session() == null;
            boolean wanted = token == null ? inTheWay : token == place.token().value();
            if (ofLock && wanted) {
                targets.add(new Target(place.place().value(), place.token().value()));
            } else if (ofLock) {
                waiting++;
            }
        }
        if (targets.isEmpty() && token != null) {
            throw wrongToken();
        } else if (targets.isEmpty()) {
            throw nobody(waiting > 0 ? " at this moment" : "");
        }
        return targets;
    }

    private CliException wrongToken() {
        return CliException.of(
                ExitStatus.LOST,
                "LOST",
                "no place of " + path + " has token " + token + " (any more); nothing was broken");
    }
}
