package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.Durations;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.model.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code holdfast locks}. */
@Command(
        name = "locks",
        description = {
            "Show who holds and who waits: tokens, sessions, since when.",
            "What is 'ending' is being broken by an operator, or its session is being expired.",
            "Ages come from the wall clock of the replica that led at the time and are for display only."
        },
        footer = {"%nExamples:", "  holdfast locks", "  holdfast locks /jobs --output json"})
public final class LocksCommand extends CellCommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PREFIX",
            defaultValue = "/",
            description = "Only locks at and below this path.")
    private String prefix;

    @Override
    protected void run(HoldfastClient client, Console console) {
        List<Answer.PlaceInfo> places = client.admin().locks(prefix);
        if (options().isJson()) {
            console.result(Json.write(Json.object("locks", byLock(places))));
        } else {
            console.table(rows(places));
        }
    }

    private static List<Object> byLock(List<Answer.PlaceInfo> places) {
        Map<String, List<Answer.PlaceInfo>> grouped = new LinkedHashMap<>();
        for (Answer.PlaceInfo place : places) {
            grouped.computeIfAbsent(place.lock().value(), lock -> new ArrayList<>())
                    .add(place);
        }
        List<Object> locks = new ArrayList<>();
        grouped.forEach((lock, queue) -> locks.add(
                Json.object("lock", lock, "holders", documents(queue, true), "waiters", documents(queue, false))));
        return locks;
    }

    private static List<Object> documents(List<Answer.PlaceInfo> queue, boolean held) {
        List<Object> documents = new ArrayList<>();
        for (Answer.PlaceInfo place : queue) {
            if (place.held() == held) {
                documents.add(document(place));
            }
        }
        return documents;
    }

    private static Map<String, @Nullable Object> document(Answer.PlaceInfo place) {
        Map<String, @Nullable Object> document = Json.object(
                "token", place.token().value(),
                "mode", mode(place),
                "session", place.session() == null ? null : place.session().value(),
                "client", place.clientName(),
                "place", place.place().value(),
                "ageMillis", Ages.since(place.sinceWallMillis()),
                "ending", place.ending());
        if (place.permits() > 0) {
            document.put("permits", place.permits());
        }
        if (place.value().length > 0) {
            ValueText.put(place.value(), document);
        }
        return document;
    }

    private static List<List<String>> rows(List<Answer.PlaceInfo> places) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("LOCK", "STATE", "MODE", "TOKEN", "SESSION", "AGE", "CLIENT"));
        for (Answer.PlaceInfo place : places) {
            rows.add(List.of(
                    place.lock().value(),
                    (place.held() ? "held" : "waiting") + (place.ending() ? ", ending" : ""),
                    place.permits() > 0 ? mode(place) + " of " + place.permits() : mode(place),
                    place.token().toString(),
                    place.session() == null ? "lock-delay" : place.session().toString(),
                    Durations.age(Ages.since(place.sinceWallMillis())),
                    place.clientName()));
        }
        return rows;
    }

    private static String mode(Answer.PlaceInfo place) {
        return place.mode().name().toLowerCase(Locale.ROOT);
    }
}
