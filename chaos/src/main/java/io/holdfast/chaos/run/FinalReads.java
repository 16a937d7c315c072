package io.holdfast.chaos.run;

import io.holdfast.chaos.check.Finding;
import io.holdfast.chaos.check.ReplicaCheck;
import io.holdfast.chaos.history.History;
import io.holdfast.chaos.load.Registers;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.RefusedException;
import io.holdfast.client.UnreachableException;
import io.holdfast.client.Value;
import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.simulation.check.RegisterOp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Looks at what is left when all clients have gone: nothing acknowledged may be missing, and nothing may be left over. */
final class FinalReads {
    private static final long AGREE_MILLIS = 60_000;
    /** Sessions of killed clients end with their lease; a leader that was just elected gives them another. */
    private static final long LEFTOVERS_MILLIS = 45_000;

    /** Each takes a call timeout. */
    private static final int ATTEMPTS = 15;

    private final CellWatch watch;
    private final int replicas;
    private final List<Finding> findings = new ArrayList<>();

    FinalReads(CellWatch watch, int replicas) {
        this.watch = watch;
        this.replicas = replicas;
    }

    /** Adds its own reads of all values to the history. */
    List<Finding> run(History history) throws InterruptedException {
        if (!watch.await(status -> ReplicaCheck.agree(status, replicas), AGREE_MILLIS)) {
            findings.add(new Finding(
                    "O3", "the replicas did not come to the same state within a minute: " + watch.lastStatus()));
        }
        HoldfastClient client = watch.client();
        try {
            readAll(client, history);
        } catch (UnreachableException noAnswer) {
            // All replicas run and nothing is broken any more: that is the service's failure, not the harness'.
            findings.add(new Finding("recovery", "when all was over, a read was not answered: " + noAnswer));
        }
        return findings;
    }

    private void readAll(HoldfastClient client, History history) throws InterruptedException {
        for (String key : List.copyOf(history.registers().keySet())) {
            long invoked = System.nanoTime();
            Optional<Value> read = patiently(() -> client.values().get(key));
            history.add(
                    key,
                    new RegisterOp(
                            RegisterOp.Kind.GET,
                            invoked,
                            System.nanoTime(),
                            0,
                            read.map(Registers::number).orElse(0L),
                            read.map(Value::version).orElse(RegisterOp.ABSENT)));
        }
        findings.addAll(missing(history.created(), parent -> patiently(() -> children(client, parent))));
        requireNothingLeft(client);
    }

    /** All replicas have just been started: elections may still come. */
    private static <T> T patiently(Supplier<T> call) {
        for (int attempt = 1; ; attempt++) {
            try {
                return call.get();
            } catch (UnreachableException noAnswer) {
                if (attempt == ATTEMPTS) {
                    throw noAnswer;
                }
            }
        }
    }

    /**
     * Whether everything is there whose creation was acknowledged.
     *
     * @param children of a parent; none if that is not there itself: it took them along, and they are lost like others
     */
    static List<Finding> missing(List<String> created, Function<String, Optional<List<String>>> children) {
        List<Finding> findings = new ArrayList<>();
        Map<String, Set<String>> byParent = new TreeMap<>();
        for (String path : created) {
            int slash = path.lastIndexOf('/');
            byParent.computeIfAbsent(path.substring(0, slash), unseen -> new HashSet<>())
                    .add(path.substring(slash + 1));
        }
        byParent.forEach((parent, names) -> {
            names.removeAll(children.apply(parent).orElse(List.of()));
            if (!names.isEmpty()) {
                findings.add(new Finding(
                        "C08", names.size() + " acknowledged values below " + parent + " are missing: " + names));
            }
        });
        return findings;
    }

    private static Optional<List<String>> children(HoldfastClient client, String parent) {
        try {
            return Optional.of(client.values().list(parent));
        } catch (RefusedException refused) {
            if (refused.reason() == ErrorCode.NOT_FOUND) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    private void requireNothingLeft(HoldfastClient client) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LEFTOVERS_MILLIS);
        List<Answer.SessionInfo> sessions = List.of();
        List<Answer.PlaceInfo> places = List.of();
        do {
            sessions = patiently(() -> client.admin().sessions());
            places = patiently(() -> client.admin().locks("/"));
            if (sessions.isEmpty() && places.isEmpty()) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(500);
        } while (System.nanoTime() < end);
        findings.add(new Finding("O4", "when all clients had gone, there were left: " + sessions + " " + places));
    }
}
