package io.holdfast.chaos.wreck;

import io.holdfast.chaos.history.History.Grant;
import io.holdfast.chaos.proc.CommandRun;
import io.holdfast.chaos.proc.ManagedProcess;
import io.holdfast.chaos.proc.ReplicaProcess;
import io.holdfast.chaos.show.CellView;
import io.holdfast.chaos.show.ShowCell;
import io.holdfast.chaos.show.Verdict;
import io.holdfast.model.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** What is done to the cell, and when locks must be granted again. <b>Thread:</b> one. */
final class Blows {
    /** With a majority left. */
    private static final Duration GRANT = Duration.ofSeconds(5);
    /** From the start of processes: Java, the log, an election. */
    private static final Duration GRANT_AFTER_START = Duration.ofSeconds(40);

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(4);
    /** Of a command beyond its call timeout: two starts of Java and its end. */
    private static final Duration COMMAND_MARGIN = Duration.ofSeconds(6);

    private static final int UNREACHABLE = 3;
    /** The second one goes so long after the leader at most. */
    private static final long SECOND_MILLIS = 1_000;

    private final ShowCell.Ground ground;
    private final ShowCell cell;
    private final CellView view;
    private final Callers callers;
    private final Verdict verdict;
    private final SplittableRandom random = new SplittableRandom(7);

    Blows(ShowCell.Ground ground, ShowCell cell, CellView view, Callers callers, Verdict verdict) {
        this.ground = ground;
        this.cell = cell;
        this.view = view;
        this.callers = callers;
        this.verdict = verdict;
    }

    /** Each pair of the five has its turn. */
    void anyTwo(int round, Answer.Status status) throws InterruptedException {
        List<List<ReplicaProcess>> pairs = new ArrayList<>();
        List<ReplicaProcess> all = cell.replicas();
        for (int i = 0; i < all.size(); i++) {
            for (int j = i + 1; j < all.size(); j++) {
                pairs.add(List.of(all.get(i), all.get(j)));
            }
        }
        List<ReplicaProcess> two = pairs.get((round - 1) % pairs.size());
        ManagedProcess.killAll(two);
        String what = "two killed (" + names(two) + ", leader was " + status.leader() + ")";
        requireGrant(what, System.nanoTime(), GRANT);
        cell.ensureRunning();
    }

    void leaderAndSecond(int round, Answer.Status status) throws InterruptedException {
        ReplicaProcess leader = cell.replica(String.valueOf(status.leader()));
        ManagedProcess.killAll(List.of(leader));
        long pauseMillis = random.nextLong(SECOND_MILLIS);
        TimeUnit.MILLISECONDS.sleep(pauseMillis);
        ReplicaProcess second = newLeader(leader).orElseGet(() -> other(leader));
        ManagedProcess.killAll(List.of(second));
        requireGrant(
                "the leader " + leader + " killed, and " + second + " " + pauseMillis + " ms later",
                System.nanoTime(),
                GRANT);
        cell.ensureRunning();
    }

    /** Whoever leads instead, if that can be told at once. */
    private Optional<ReplicaProcess> newLeader(ReplicaProcess old) throws InterruptedException {
        return view.await(status -> true, Duration.ZERO)
                .map(Answer.Status::leader)
                .filter(name -> !name.equals(old.name()))
                .map(cell::replica);
    }

    private ReplicaProcess other(ReplicaProcess not) {
        List<ReplicaProcess> others =
                cell.replicas().stream().filter(each -> each != not).toList();
        return others.get(random.nextInt(others.size()));
    }

    /** Nothing is granted without a majority, and callers hear of it in time; one of the three is enough. */
    void three(int round, Answer.Status status) throws InterruptedException {
        List<ReplicaProcess> all = cell.replicas();
        List<ReplicaProcess> three = List.of(
                all.get(round % all.size()), all.get((round + 1) % all.size()), all.get((round + 2) % all.size()));
        ManagedProcess.killAll(three);
        long killedAt = System.nanoTime();
        requireUnreachable("lock", "/wreck/cli", "--try", "--", "true");
        requireUnreachable("put", "/wreck/cli-value", "1");
        requireUnreachable("get", "/wreck/cli-value");
        long startAt = System.nanoTime();
        long granted = callers.grantsWithin(killedAt, startAt);
        if (granted > 0) {
            verdict.finding("R2.1", "%d locks were granted without a majority, %s were dead", granted, names(three));
        }
        three.get(0).ensureRunning();
        requireGrant(
                "three killed (" + names(three) + ") for " + TimeUnit.NANOSECONDS.toMillis(startAt - killedAt) + " ms, "
                        + three.get(0) + " started again",
                startAt,
                GRANT_AFTER_START);
        cell.ensureRunning();
    }

    private void requireUnreachable(String... command) throws InterruptedException {
        List<String> words = new ArrayList<>(List.of(command[0]));
        words.addAll(List.of("--endpoints", cell.endpoints(), "--call-timeout", CALL_TIMEOUT.toSeconds() + "s"));
        words.addAll(List.of(command).subList(1, command.length));
        CommandRun run = CommandRun.run(
                ground.launch("command", ground.classPath()),
                ground.log("command"),
                words,
                CALL_TIMEOUT.plus(COMMAND_MARGIN));
        verdict.event(
                "  holdfast %s: exit status %d after %.1f s",
                command[0], run.status(), run.took().toMillis() / 1e3);
        if (run.status() != UNREACHABLE) {
            verdict.finding(
                    "C85",
                    "holdfast %s without a majority ended with %d after %s, not with 3: %s",
                    command[0],
                    run.status(),
                    run.took(),
                    run.output().strip());
        }
    }

    void all(int round, Answer.Status status) throws InterruptedException {
        ManagedProcess.killAll(cell.replicas());
        long startAt = System.nanoTime();
        cell.ensureRunning();
        requireGrant("all killed at once, the " + round + ". time, and started again", startAt, GRANT_AFTER_START);
    }

    private void requireGrant(String what, long sinceNanos, Duration patience) throws InterruptedException {
        Optional<Grant> grant = callers.awaitGrant(sinceNanos, patience);
        if (grant.isPresent()) {
            verdict.event("%s: granted after %.2f s", what, (grant.get().returnedNanos() - sinceNanos) / 1e9);
        } else {
            verdict.finding("N6", "%s: nothing was granted within %d s", what, patience.toSeconds());
        }
    }

    private static String names(List<ReplicaProcess> some) {
        return some.stream().map(ManagedProcess::name).collect(Collectors.joining(", "));
    }
}
