package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.model.Answer;
import io.holdfast.model.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
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
            "  holdfast break /jobs/reindex                            # whoever holds it now: all shared holders or permits",
            "  holdfast break /jobs/reindex --token 4711               # only the hold, or the waiter, with this token",
            "  holdfast break /jobs/reindex/x-00000000000000004711     # the same",
            "%nExit status: 0 broken, 1 nobody holds it, 3 cell unreachable, 4 still waiting for its client when the call timeout"
                    + " was over (it goes on ending; ask again), 5 the token is no present one's. If only some could be broken,"
                    + " they are named all the same, and the status is that of the first that could not."
        })
public final class BreakCommand extends CellCommand {
    @Parameters(
            index = "0",
            paramLabel = "PATH",
            description = "Path of a lock, or of a place as 'locks --output json' shows it.")
    private String path;

    @Option(names = "--token", paramLabel = "T", description = "Only the place with this token.")
    private @Nullable Long token;

    @Override
    protected void run(HoldfastClient client, Console console) {
        EndingRun run = new EndingRun(console, options());
        Map<EndingRun.Order, PlacePath> places = new LinkedHashMap<>();
        for (PlacePath place : targets(client)) {
            places.put(
                    new EndingRun.Order(
                            place.path(),
                            EndingRun.Question.of(() -> client.admin().breakPlaceAsync(place.path(), place.token()))),
                    place);
        }
        run.run(List.copyOf(places.keySet()), order -> {
            Outcome.BeingEnded ended = order.ended();
            if (ended != null && !options().isJson()) {
                PlacePath place = Objects.requireNonNull(places.get(order));
                console.result("broken " + place.path() + " with token " + place.token()
                        + (ended.session() == null ? "" : " of session " + ended.session()));
            }
        });
        report(places, console);
    }

    /** One place that cannot be broken takes nothing away from the word on those that were. */
    private void report(Map<EndingRun.Order, PlacePath> places, Console console) {
        List<Object> broken = new ArrayList<>();
        List<Object> failed = new ArrayList<>();
        List<CliException> failures = new ArrayList<>();
        places.forEach((order, place) -> {
            Outcome.BeingEnded ended = order.ended();
            CliException failure = order.failure();
            if (ended != null) {
                broken.add(document(place, ended));
            } else if (failure != null) {
                failures.add(failure);
                failed.add(document(place, failure));
            }
        });
        if (options().isJson() && !broken.isEmpty()) {
            console.result(Json.write(Json.object("broken", broken, "failed", failed)));
        }
        if (!failures.isEmpty()) {
            throw all(failures);
        }
        if (broken.isEmpty()) {
            throw nobody("");
        }
    }

    /** The exit status is that of the first. */
    private static CliException all(List<CliException> failures) {
        CliException first = failures.get(0);
        return failures.size() == 1
                ? first
                : CliException.of(
                        first,
                        failures.stream()
                                .map(failure -> String.valueOf(failure.getMessage()))
                                .distinct()
                                .collect(Collectors.joining("; ")));
    }

    private CliException nobody(String rider) {
        return CliException.of(ExitStatus.REFUSED, "NOT_FOUND", "nobody holds " + path + rider);
    }

    private static Object document(PlacePath place, Outcome.BeingEnded ended) {
        return Json.object(
                "place", place.path(),
                "token", place.token().value(),
                "session", ended.session() == null ? null : ended.session().value(),
                "client", ended.clientName());
    }

    private static Object document(PlacePath place, CliException failure) {
        return Json.object(
                "place", place.path(),
                "token", place.token().value(),
                "error", failure.code(),
                "message", failure.getMessage());
    }

    private List<PlacePath> targets(HoldfastClient client) {
        Optional<PlacePath> named = PlacePath.of(path);
        if (named.isPresent()) {
            if (token != null && token != named.get().token().value()) {
                throw wrongToken();
            }
            return List.of(named.get());
        }
        List<PlacePath> targets = new ArrayList<>();
        int waiting = 0;
        for (Answer.PlaceInfo place : client.admin().locks(path)) {
            boolean ofLock = place.lock().value().equals(path);
            boolean inTheWay = place.held() || place.session() == null;
            boolean wanted = token == null ? inTheWay : token == place.token().value();
            if (ofLock && wanted) {
                targets.add(new PlacePath(place.place().value(), place.token()));
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
