package io.holdfast.archtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import io.holdfast.cell.planted.a.CycleA;
import io.holdfast.cell.planted.b.CycleB;
import io.holdfast.nowhere.planted.Stray;
import io.holdfast.protocol.proto.planted.Message;
import io.holdfast.raft.planted.Impure;
import io.holdfast.raft.planted.Pure;
import io.holdfast.raft.planted.ReadsClock;
import io.holdfast.raft.planted.UsesServer;
import io.holdfast.server.planted.ForeignAnnotations;
import io.holdfast.server.planted.ServerClass;
import io.holdfast.server.planted.UsesMessage;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rule is broken here on purpose, once for each thing it forbids, and must say so. */
final class PlantedViolationsTest {
    /** The name of a rule, classes that break it, and a text that its report must hold for each planted fault. */
    record Plant(String rule, List<Class<?>> classes, List<String> expected) {
        @Override
        public String toString() {
            return rule + " " + classes.stream().map(Class::getSimpleName).toList();
        }
    }

    static List<Plant> plants() {
        return List.of(
                plant("NO_PACKAGE_CYCLES", List.of(CycleA.class, CycleB.class), "Cycle detected"),
                plant(
                        "MODULE_DIRECTION",
                        List.of(UsesServer.class, ServerClass.class, Stray.class),
                        "module raft: Method <io.holdfast.raft.planted.UsesServer.none()>",
                        "Stray lies in no known module"),
                plant("PURE_CODE_READS_NO_CLOCK", List.of(ReadsClock.class), "System.nanoTime()"),
                plant(
                        "PURE_CODE_READS_NO_CLOCK",
                        List.of(io.holdfast.model.planted.ReadsClock.class),
                        "System.nanoTime()"),
                plant(
                        "PURE_CODE_READS_NO_CLOCK",
                        List.of(io.holdfast.cell.planted.ReadsClock.class),
                        "System.nanoTime()"),
                plant(
                        "PURE_CODE_READS_NO_CLOCK",
                        List.of(io.holdfast.client.session.planted.ReadsClock.class),
                        "System.nanoTime()"),
                plant(
                        "PURE_CODE_READS_NO_CLOCK",
                        List.of(io.holdfast.proxy.core.planted.ReadsClock.class),
                        "System.nanoTime()"),
                plant(
                        "PURE_CODE_READS_NO_CLOCK",
                        List.of(Impure.Clocks.class),
                        "System.currentTimeMillis()",
                        "System.nanoTime()",
                        "Instant.now()",
                        "LocalDate.now()",
                        "java.time.Clock"),
                plant(
                        "PURE_CODE_HAS_NO_THREADS",
                        List.of(Impure.Threads.class, Impure.ThreadRandom.class),
                        "java.lang.Thread>",
                        "java.util.concurrent.Executor>",
                        "java.util.concurrent.locks.ReentrantLock>",
                        "java.util.concurrent.CompletableFuture>",
                        "java.util.concurrent.ThreadLocalRandom.current()",
                        "Object.notifyAll()"),
                plant("PURE_CODE_HAS_NO_SYNCHRONIZED_METHODS", List.of(Impure.Synchronized.class), "locked()"),
                plant(
                        "PURE_CODE_OPENS_NO_FILE_OR_SOCKET",
                        List.of(Impure.Files.class),
                        "java.io.File>",
                        "java.io.RandomAccessFile>",
                        "java.nio.file.Path>",
                        "java.net.Socket>",
                        "java.lang.ProcessBuilder>"),
                plant(
                        "PURE_CODE_READS_NO_ENVIRONMENT",
                        List.of(Impure.Environment.class),
                        "System.getProperty(",
                        "System.getenv(",
                        "Boolean.getBoolean("),
                plant(
                        "PURE_CODE_DRAWS_NO_RANDOM_NUMBERS",
                        List.of(Impure.Randoms.class),
                        "java.util.Random>",
                        "java.security.SecureRandom>",
                        "UUID.randomUUID()",
                        "Math.random()",
                        "Collections.shuffle(java.util.List)"),
                plant(
                        "PURE_CODE_HAS_A_FIXED_ORDER",
                        List.of(Impure.Orders.class),
                        "java.util.IdentityHashMap",
                        "System.identityHashCode(",
                        "java.util.HashMap.<init>",
                        "java.util.HashSet.<init>",
                        "Set.of(java.lang.Object, java.lang.Object)",
                        "Map.copyOf(",
                        "Collectors.toSet()"),
                plant("GENERATED_TYPES_STAY_AT_THE_EDGE", List.of(UsesMessage.class), Message.class.getName()),
                plant(
                        "NO_FOREIGN_ANNOTATIONS",
                        List.of(ForeignAnnotations.class),
                        "javax.annotation.processing.Processor"));
    }

    @ParameterizedTest
    @MethodSource("plants")
    void theRuleReportsEachPlantedFault(Plant plant) throws ReflectiveOperationException {
        EvaluationResult result = evaluate(plant.rule(), plant.classes());

        assertThat(result.hasViolation()).isTrue();
        String report = result.getFailureReport().toString();
        assertThat(plant.expected()).allSatisfy(text -> assertThat(report).contains(text));
    }

    @Test
    void everyRuleHasAPlantAndIsHeldAgainstProductionCode() throws IllegalAccessException {
        List<ArchRule> held = new ArrayList<>();
        for (Field field : ArchitectureTest.class.getDeclaredFields()) {
            if (field.getType() == ArchRule.class) {
                held.add((ArchRule) field.get(null));
            }
        }
        List<String> planted = plants().stream().map(Plant::rule).toList();

        for (Field field : ruleFields().toList()) {
            assertThat(planted).contains(field.getName());
            assertThat(held).contains((ArchRule) field.get(null));
        }
    }

    @Test
    void whatIsAllowedPassesEveryRule() throws ReflectiveOperationException {
        List<Class<?>> allowed = List.of(
                Pure.class,
                Message.class,
                io.holdfast.protocol.codec.planted.UsesMessage.class,
                io.holdfast.replica.grpc.planted.UsesMessage.class);

        for (Field field : ruleFields().toList()) {
            EvaluationResult result = evaluate(field.getName(), allowed);
            assertThat(result.hasViolation())
                    .as(result.getFailureReport().toString())
                    .isFalse();
        }
        assertThat(evaluate("MODULE_DIRECTION", List.of(ServerClass.class)).hasViolation())
                .isFalse();
    }

    private static Stream<Field> ruleFields() {
        return Arrays.stream(Rules.class.getDeclaredFields()).filter(field -> field.getType() == ArchRule.class);
    }

    private static EvaluationResult evaluate(String rule, List<Class<?>> classes) throws ReflectiveOperationException {
        JavaClasses imported = new ClassFileImporter().importClasses(classes);
        return ((ArchRule) Rules.class.getDeclaredField(rule).get(null)).evaluate(imported);
    }

    private static Plant plant(String rule, List<Class<?>> classes, String... expected) {
        return new Plant(rule, classes, List.of(expected));
    }
}
