package io.holdfast.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.NodeKind;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The state machine against {@link ModelCell}, which is obviously right and slow: the same outcomes, the same grants, the
 * same nodes, whatever the commands; and a copy made from a snapshot at a random point goes on alike (R2.2, R2.7, R4.2).
 * {@code -Dholdfast.cell.seeds=N} tries more.
 */
final class CellPropertyTest {
    private static final int SEEDS = Integer.getInteger("holdfast.cell.seeds", 300);
    private static final int ENTRIES = 80;

    @Test
    void agreesWithTheModelWhateverTheCommands() {
        Map<String, Integer> reached = new TreeMap<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            try {
                new Run(seed, reached).run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        // Every rule was really reached.
        assertThat(reached)
                .containsKeys("SessionOpened", "Written", "Created", "Deleted", "NotAcquired", "SessionClosed")
                .containsKeys("placed held", "placed waiting", "placed gone", "released", "released gone")
                .containsKeys("Batched", "BatchRefused", "foreseen", "foreseen batch")
                .containsKeys("cancelled", "cancelled nothing", "granted", "delayed", "restored")
                .containsKeys("INVALID", "NOT_FOUND", "EXISTS", "BAD_VERSION", "WRONG_KIND", "NOT_EMPTY", "NOT_OWNER")
                .containsKeys("PERMITS_DIFFER")
                .containsKeys(
                        "SESSION_EXPIRED", "TOO_LARGE", "REQUEST_OLD", "REQUEST_WINDOW", "CANCELLED", "UNAVAILABLE");
        System.out.println("reached: " + reached);
    }

    private static final class Run {
        private final Random random;
        private final Map<String, Integer> reached;
        private final ModelCell model = new ModelCell();
        private final RandomCommands commands;
        private final List<CellStateMachine> machines = new ArrayList<>();
        private final Map<String, Integer> grants = new LinkedHashMap<>();

        Run(int seed, Map<String, Integer> reached) {
            this.random = new Random(seed);
            this.reached = reached;
            this.commands = new RandomCommands(random);
            machines.add(new CellStateMachine(CellLimits.defaults()));
        }

        void run() {
            for (int i = 0; i < ENTRIES; i++) {
                step();
                if (random.nextInt(30) == 0 && machines.size() < 3) {
                    machines.add(TestCell.copyOf(machines.get(0)));
                    count("restored");
                }
            }
        }

        private void step() {
            List<Command> batch = new ArrayList<>();
            List<Outcome> expected = new ArrayList<>();
            model.events.clear();
            List<CellEvent> expectedEvents = new ArrayList<>();
            int size = 1 + random.nextInt(3);
            for (int i = 0; i < size; i++) {
                Command command = commands.next(model);
                batch.add(command);
                model.events.clear();
                expected.add(model.perform(command, TestCell.TERM));
                expectedEvents.addAll(model.events);
            }
            byte[] entry = CommandCodec.encode(new CommandBatch(TestCell.TERM, 5, "", 1L << 30, batch));
            Operation alone = batch.size() == 1 && batch.get(0) instanceof Command.OneShot one ? one.operation() : null;
            Outcome foreseen = alone == null ? null : machines.get(0).refusalOf(alone);
            for (CellStateMachine machine : machines) {
                AppliedEntry applied = machine.apply(machine.appliedIndex() + 1, TestCell.TERM, entry);
                assertThat(withoutMessages(applied.outcomes()))
                        .as(batch.toString())
                        .isEqualTo(withoutMessages(expected));
                assertThat(withoutNodeChanges(applied.events())).isEqualTo(expectedEvents);
                assertThat(machine.digest()).isEqualTo(machines.get(0).digest());
                assertThat(machine.stateBytes()).isEqualTo(machines.get(0).stateBytes());
            }
            checkForeseen(alone, foreseen, expected.get(0));
            expected.forEach(this::count);
            expectedEvents.forEach(this::checkGrant);
            if (random.nextInt(3) == 0) {
                checkState(machines.get(random.nextInt(machines.size())));
            }
        }

        /** R6.3: what is answered without being applied is what applying it would have answered. */
        private void checkForeseen(@Nullable Operation alone, @Nullable Outcome foreseen, Outcome outcome) {
            if (foreseen instanceof Outcome.BatchRefused) {
                assertThat(outcome).isInstanceOf(Outcome.BatchRefused.class);
                count("foreseen batch");
            } else if (foreseen != null) {
                assertThat(withoutMessages(List.of(outcome))).isEqualTo(withoutMessages(List.of(foreseen)));
                count("foreseen");
            } else if (alone instanceof Operation.Put || alone instanceof Operation.Delete) {
                assertThat(outcome).isNotInstanceOf(Outcome.Failed.class);
            }
        }

        /** R4.2: one grant event for each place at most. */
        private void checkGrant(CellEvent event) {
            if (event instanceof CellEvent.Granted granted) {
                assertThat(grants.merge(granted.place().value(), 1, Integer::sum))
                        .isEqualTo(1);
                count("granted");
            } else if (event instanceof CellEvent.DelayStarted) {
                count("delayed");
            }
        }

        private void checkState(CellStateMachine machine) {
            TestCell.checkSums(machine);
            assertThat(machine.revision()).isEqualTo(model.revision);
            assertThat(machine.nodeCount()).isEqualTo(model.nodes.size());
            assertThat(machine.sessionCount()).isEqualTo(model.sessions.size());
            for (ModelCell.Node node : model.nodes) {
                checkNode(machine, node);
            }
            checkPlaces(machine);
        }

        private void checkNode(CellStateMachine machine, ModelCell.Node node) {
            NodePath path = new NodePath(node.path);
            Answer.NodeStat stat = (Answer.NodeStat) machine.query(new Query.Stat(path));
            assertThat(stat.kind()).isEqualTo(node.kind);
            assertThat(stat.version()).isEqualTo(node.version);
            assertThat(stat.createRevision()).isEqualTo(node.created);
            assertThat(stat.modifyRevision()).isEqualTo(node.modified);
            assertThat(stat.childrenRevision()).isEqualTo(node.childrenRevision);
            assertThat(stat.session() == null ? 0 : stat.session().value()).isEqualTo(node.session);
            assertThat(((Answer.Value) machine.query(new Query.GetValue(path))).value())
                    .isEqualTo(node.kind == NodeKind.PERSISTENT ? node.value : null);
            List<String> children = model.nodes.stream()
                    .filter(n -> n != node && n.parent().equals(node.path))
                    .map(n -> new NodePath(n.path).name())
                    .sorted()
                    .toList();
            assertThat(stat.children()).isEqualTo(children.size());
            List<String> listed = new ArrayList<>();
            Answer.Children page;
            do {
                String after = listed.isEmpty() ? "" : listed.get(listed.size() - 1);
                page = (Answer.Children) machine.query(new Query.ListChildren(path, after, 2));
                listed.addAll(page.names());
            } while (page.more());
            assertThat(listed).isEqualTo(children);
        }

        private void checkPlaces(CellStateMachine machine) {
            List<Answer.PlaceInfo> listed = new TestCell(machine).places("/");
            List<ModelCell.Node> places = model.places();
            assertThat(listed.stream().map(p -> p.place().value()).toList())
                    .isEqualTo(places.stream().map(n -> n.path).toList());
            int held = 0;
            for (int i = 0; i < places.size(); i++) {
                ModelCell.Node place = places.get(i);
                boolean holds = place.session != 0 && model.hasTurn(place);
                held += holds ? 1 : 0;
                assertThat(listed.get(i).held()).isEqualTo(holds);
                assertThat(((Answer.TokenCheck) machine.query(new Query.CheckToken(
                                        new NodePath(place.parent()), TestCell.token(place.created))))
                                .current())
                        .isEqualTo(holds);
            }
            assertThat(machine.placesHeld()).isEqualTo(held);
            assertThat(machine.placesHeld() + machine.placesWaiting() + machine.placesDelayed())
                    .isEqualTo(places.size());
        }

        private void count(Outcome outcome) {
            if (outcome instanceof Outcome.Failed o) {
                count(o.code().name());
            } else if (outcome instanceof Outcome.Placed o) {
                count(!o.present() ? "placed gone" : o.held() ? "placed held" : "placed waiting");
            } else if (outcome instanceof Outcome.Released o) {
                count(o.removed() ? "released" : "released gone");
            } else if (outcome instanceof Outcome.Cancelled o) {
                count(o.removed() != null ? "cancelled" : "cancelled nothing");
            } else {
                count(outcome.getClass().getSimpleName());
            }
        }

        private void count(String what) {
            reached.merge(what, 1, Integer::sum);
        }
    }

    private static List<Outcome> withoutMessages(List<Outcome> outcomes) {
        return outcomes.stream().map(CellPropertyTest::withoutMessage).toList();
    }

    private static Outcome withoutMessage(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            return new Outcome.Failed(failed.code(), "");
        }
        return outcome instanceof Outcome.BatchRefused refused
                ? new Outcome.BatchRefused(refused.item(), refused.code(), "")
                : outcome;
    }

    private static List<CellEvent> withoutNodeChanges(List<CellEvent> events) {
        return events.stream()
                .filter(e -> !(e instanceof CellEvent.NodeChanged))
                .toList();
    }
}
