package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.model.Answer;
import io.holdfast.server.http.CellDocument;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code holdfast status}. */
@Command(
        name = "status",
        description = "Show the cell and its shards as their leaders see them: who leads, and how far each replica is.",
        footer = {
            "%nExamples:",
            "  holdfast status",
            "  holdfast status --output json",
            "%nExit status: 0 printed, 2 wrong usage, 3 cell unreachable."
        })
public final class StatusCommand extends CellCommand {
    @Override
    protected void run(HoldfastClient client, Console console) {
        Answer.Status status = client.admin().statusOfAll();
        if (options().isJson()) {
            console.result(Json.write(CellDocument.of(status)));
            return;
        }
        console.result("cell " + status.cell() + ", leader " + (status.leader() == null ? "none" : status.leader())
                + ", term " + status.term() + ", revision " + status.revision());
        console.result(status.nodes() + " nodes, " + status.sessions() + " sessions, " + status.stateBytes()
                + " bytes of state");
        showCaches(status.caches(), console);
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("REPLICA", "ROLE", "REACHABLE", "APPLIED", "DIGEST"));
        for (Answer.ReplicaInfo replica : status.replicas()) {
            rows.add(List.of(
                    replica.replica(),
                    replica.role(),
                    replica.reachable() ? "yes" : "no",
                    Long.toString(replica.appliedIndex()),
                    replica.digest().isEmpty() ? "-" : replica.digest()));
        }
        console.table(rows);
        printShards(status, console);
    }

    private static void printShards(Answer.Status status, Console console) {
        if (status.cells().isEmpty()) {
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("SHARD", "LEADER", "TERM", "REVISION", "REACHABLE"));
        for (Answer.Status shard : status.cells()) {
            long reachable = shard.replicas().stream()
                    .filter(Answer.ReplicaInfo::reachable)
                    .count();
            rows.add(List.of(
                    shard.cell(),
                    shard.leader() == null ? "none" : shard.leader(),
                    Long.toString(shard.term()),
                    Long.toString(shard.revision()),
                    reachable + " of " + shard.replicas().size()));
        }
        console.table(rows);
    }

    /** What clients cache, and whom writes wait for; nothing if that is nothing. */
    private static void showCaches(Answer.Caches caches, Console console) {
        if (caches.cachedPaths() > 0 || caches.writesWaiting() > 0) {
            console.result("clients cache " + caches.cachedPaths() + " paths, " + caches.writesWaiting()
                    + " writes wait for them to let go");
        }
        for (Answer.CacheWait wait : caches.waitsFor()) {
            console.result("writes wait for session " + wait.session() + " (" + wait.clientName() + ") to "
                    + (wait.paths() == 0 ? "hear of the new leader" : "let go of " + wait.paths() + " paths") + ": "
                    + wait.waitedMillis() + " ms, at most " + wait.remainingMillis()
                    + " ms more; 'holdfast expire " + wait.session() + "' ends it");
        }
    }
}
