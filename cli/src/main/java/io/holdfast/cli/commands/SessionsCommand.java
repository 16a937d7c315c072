package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.Durations;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.model.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code holdfast sessions}. */
@Command(
        name = "sessions",
        description = {
            "Show all sessions: whose they are, their leases, how many nodes they own, and what they hold and wait for.",
            "In text NODES counts all that a session owns, HELD and WAITING its places in queues; in JSON the places are named,"
                    + " with their tokens.",
            "One that is 'ending' is being expired by an operator and not renewed any more.",
            "Ages come from the wall clock of the replica that led at the time and are for display only."
        },
        footer = {
            "%nExamples:",
            "  holdfast sessions",
            "  holdfast sessions --output json",
            "%nExit status: 0 printed, also if there is none, 2 wrong usage, 3 cell unreachable."
        })
public final class SessionsCommand extends CellCommand {
    @Override
    protected void run(HoldfastClient client, Console console) {
        List<Answer.SessionInfo> sessions = client.admin().sessions();
        OwnedPlaces places = OwnedPlaces.of(client.admin().locks("/"));
        if (options().isJson()) {
            console.result(Json.write(Json.object(
                    "sessions",
                    sessions.stream().map(session -> document(session, places)).toList())));
        } else {
            console.table(rows(sessions, places));
        }
    }

    private static List<List<String>> rows(List<Answer.SessionInfo> sessions, OwnedPlaces places) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("SESSION", "STATE", "LEASE", "REMAINING", "NODES", "HELD", "WAITING", "AGE", "CLIENT"));
        for (Answer.SessionInfo session : sessions) {
            rows.add(List.of(
                    session.session().toString(),
                    state(session),
                    Durations.format(Duration.ofMillis(session.leaseMillis())),
                    Durations.age(session.remainingMillis()),
                    Integer.toString(session.nodes()),
                    Integer.toString(places.heldBy(session.session()).size()),
                    Integer.toString(places.waitedForBy(session.session()).size()),
                    Durations.age(Ages.since(session.openedWallMillis())),
                    session.clientName()));
        }
        return rows;
    }

    private static String state(Answer.SessionInfo session) {
        return session.expiring() ? "expiring" : session.ending() ? "ending" : "live";
    }

    private static Object document(Answer.SessionInfo session, OwnedPlaces places) {
        return Json.object(
                "session", session.session().value(),
                "client", session.clientName(),
                "leaseMillis", session.leaseMillis(),
                "remainingMillis", session.remainingMillis(),
                "nodes", session.nodes(),
                "holds", OwnedPlaces.documents(places.heldBy(session.session())),
                "waits", OwnedPlaces.documents(places.waitedForBy(session.session())),
                "expiring", session.expiring(),
                "ending", session.ending(),
                "ageMillis", Ages.since(session.openedWallMillis()));
    }
}
