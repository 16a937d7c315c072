package io.holdfast.raft;

import io.holdfast.raft.RaftMessage.Envelope;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A cell that does what the lines of a golden file say. Messages wait until they are delivered or dropped; disks confirm
 * at once unless held.
 *
 * <p>Commands: {@code cell r1 r2 …} (voters), {@code join r4} (an empty process), {@code tick r1} (to its next deadline),
 * {@code wait MILLIS} (ticks all), {@code deliver [r1]} (everything, or only what goes to r1), {@code quiet} (delivers
 * until nothing is left, printing only results), {@code drop [r1]}, {@code propose r1 TEXT}, {@code read r1 TAG},
 * {@code add|promote|remove r1 r4}, {@code transfer r1 r2}, {@code hold r1}, {@code release r1}, {@code snapshot r1},
 * {@code disconnect r2 r1} (r2 sees r1 go), {@code cut r1} and {@code join-net r1} (messages from and to it are lost),
 * {@code status}.
 */
final class GoldenCell {
    private record InTransit(ReplicaId from, Envelope envelope) {}

    private final TreeMap<ReplicaId, GoldenReplica> replicas = new TreeMap<>();
    private final ArrayDeque<InTransit> network = new ArrayDeque<>();
    private final TreeSet<ReplicaId> cut = new TreeSet<>();
    private Membership initial = Membership.ofVoters(List.of());
    private long now = 10_000 * TestCore.MILLI;
    private boolean resultsOnly;
    private StringBuilder out = new StringBuilder();

    String run(String command) {
        out = new StringBuilder();
        String[] words = command.split(" +");
        switch (words[0]) {
            case "cell" -> form(List.of(words).subList(1, words.length));
            case "wait" -> pass(Long.parseLong(words[1]));
            case "deliver" -> deliver(words.length > 1 ? words[1] : "");
            case "quiet" -> settle();
            case "drop" ->
                network.removeIf(each ->
                        words.length == 1 || each.envelope().to().value().equals(words[1]));
            case "status" -> status();
            case "cut" -> cut.add(new ReplicaId(words[1]));
            case "join-net" -> cut.remove(new ReplicaId(words[1]));
            case "join" -> join(words[1]);
            default -> at(words);
        }
        return out.toString();
    }

    private void form(List<String> ids) {
        initial = Membership.ofVoters(ids.stream().map(ReplicaId::new).toList());
        ids.forEach(this::join);
    }

    private void join(String name) {
        ReplicaId id = new ReplicaId(name);
        replicas.put(id, new GoldenReplica(id, initial, replicas.size() + 1, now));
    }

    private void at(String[] words) {
        GoldenReplica replica = replica(words[1]);
        String argument = words.length > 2 ? words[2] : "";
        switch (words[0]) {
            case "tick" -> {
                now = Math.max(now, replica.core().nextDeadlineNanos());
                step(replica, new RaftInput.Tick());
            }
            case "propose" -> step(replica, new RaftInput.Propose(0, argument.getBytes(StandardCharsets.UTF_8)));
            case "read" -> step(replica, new RaftInput.ReadIndex(Long.parseLong(argument)));
            case "add" -> change(replica, new MembershipChange.AddLearner(new ReplicaId(argument)));
            case "promote" -> change(replica, new MembershipChange.Promote(new ReplicaId(argument)));
            case "remove" -> change(replica, new MembershipChange.Remove(new ReplicaId(argument)));
            case "transfer" -> step(replica, new RaftInput.TransferLeadership(new ReplicaId(argument)));
            case "disconnect" -> step(replica, new RaftInput.PeerDisconnected(new ReplicaId(argument)));
            case "hold" -> replica.holdDisk(true);
            case "release" -> {
                replica.holdDisk(false);
                step(replica, new RaftInput.Tick());
            }
            case "snapshot" -> step(replica, replica.takeSnapshot());
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private void change(GoldenReplica replica, MembershipChange change) {
        step(replica, new RaftInput.ProposeMembership(0, change));
    }

    private GoldenReplica replica(String name) {
        GoldenReplica replica = replicas.get(new ReplicaId(name));
        if (replica == null) {
            throw new IllegalArgumentException("no replica " + name);
        }
        return replica;
    }

    private void pass(long millis) {
        now += millis * TestCore.MILLI;
        for (GoldenReplica replica : replicas.values()) {
            step(replica, new RaftInput.Tick());
        }
    }

    private void deliver(String to) {
        List<InTransit> due = new ArrayList<>();
        network.removeIf(each -> {
            boolean goes = to.isEmpty() || each.envelope().to().value().equals(to);
            if (goes) {
                due.add(each);
            }
            return goes;
        });
        for (InTransit each : due) {
            GoldenReplica receiver = replicas.get(each.envelope().to());
            if (receiver != null && !cut.contains(each.from()) && !cut.contains(receiver.id())) {
                step(
                        receiver,
                        new RaftInput.Received(each.from(), each.envelope().message()));
            }
        }
    }

    private void settle() {
        resultsOnly = true;
        for (int rounds = 0; !network.isEmpty(); rounds++) {
            if (rounds > 200) {
                throw new IllegalStateException("the messages never end");
            }
            deliver("");
        }
        resultsOnly = false;
    }

    private void step(GoldenReplica replica, RaftInput input) {
        replica.core().step(input, now);
        while (replica.core().hasOutput()) {
            RaftOutput output = replica.core().takeOutput();
            out.append(GoldenFormat.lines(replica.id(), output, resultsOnly));
            output.messages().forEach(envelope -> network.add(new InTransit(replica.id(), envelope)));
            for (RaftInput answer : replica.carryOut(output)) {
                replica.core().step(answer, now);
            }
        }
    }

    private void status() {
        for (Map.Entry<ReplicaId, GoldenReplica> each : replicas.entrySet()) {
            RaftStatus status = each.getValue().core().status();
            out.append(String.format(
                    "%s %s term=%d leader=%s log=%d..%d commit=%d %s%n",
                    each.getKey(),
                    status.role(),
                    status.term(),
                    RaftMessage.nameOf(status.leader()),
                    status.firstIndex(),
                    status.lastIndex(),
                    status.commitIndex(),
                    GoldenFormat.text(status.membership())));
        }
    }
}
