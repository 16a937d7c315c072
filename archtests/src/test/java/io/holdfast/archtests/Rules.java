package io.holdfast.archtests;

import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/**
 * The architecture as rules. {@link ArchitectureTest} holds the code to them, {@link PlantedViolationsTest} holds them to
 * their word.
 */
final class Rules {
    /** Code that is given its time, its random numbers and its input, and returns what is to be done. */
    static final List<String> PURE_PACKAGES = List.of(
            "io.holdfast.model..",
            "io.holdfast.raft..",
            "io.holdfast.cell..",
            "io.holdfast.client.session..",
            "io.holdfast.proxy.core..");

    static final ArchRule NO_PACKAGE_CYCLES =
            slices().matching("io.holdfast.(**)").should().beFreeOfCycles().allowEmptyShould(true);

    static final ArchRule MODULE_DIRECTION = classes()
            .that()
            .resideInAPackage("io.holdfast..")
            .should(ModuleTable.onlyUseModulesAboveThem())
            .allowEmptyShould(true);

    static final ArchRule PURE_CODE_READS_NO_CLOCK =
            pureCodeMayNot(dependOnClassesThat(Impurity.clockType()).or(accessTargetWhere(Impurity.clockMethod())));

    static final ArchRule PURE_CODE_HAS_NO_THREADS =
            pureCodeMayNot(dependOnClassesThat(Impurity.threadType()).or(accessTargetWhere(Impurity.monitorMethod())));

    static final ArchRule PURE_CODE_HAS_NO_SYNCHRONIZED_METHODS = noCodeUnits()
            .that()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(PURE_PACKAGES.toArray(String[]::new))
            .should()
            .haveModifier(JavaModifier.SYNCHRONIZED)
            .allowEmptyShould(true);

    static final ArchRule PURE_CODE_OPENS_NO_FILE_OR_SOCKET =
            pureCodeMayNot(dependOnClassesThat(Impurity.fileOrSocketType()));

    static final ArchRule PURE_CODE_READS_NO_ENVIRONMENT =
            pureCodeMayNot(accessTargetWhere(Impurity.environmentMethod()));

    static final ArchRule PURE_CODE_DRAWS_NO_RANDOM_NUMBERS =
            pureCodeMayNot(dependOnClassesThat(Impurity.randomType()).or(accessTargetWhere(Impurity.randomMethod())));

    static final ArchRule PURE_CODE_HAS_A_FIXED_ORDER = pureCodeMayNot(
            dependOnClassesThat(Impurity.identityOrderedType()).or(accessTargetWhere(Impurity.unstableOrder())));

    static final ArchRule GENERATED_TYPES_STAY_AT_THE_EDGE = noClasses()
            .that()
            .resideInAPackage("io.holdfast..")
            .and()
            .resideOutsideOfPackages("io.holdfast.protocol.proto..", "io.holdfast.protocol.codec..", "..grpc..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.holdfast.protocol.proto..")
            .allowEmptyShould(true);

    /** JSpecify is the one source of annotations for null; generators are told to leave theirs out. */
    static final ArchRule NO_FOREIGN_ANNOTATIONS = noClasses()
            .that()
            .resideInAPackage("io.holdfast..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "javax.annotation..",
                    "jakarta.annotation..",
                    "org.jetbrains.annotations..",
                    "org.checkerframework..",
                    "edu.umd.cs.findbugs..")
            .allowEmptyShould(true);

    private Rules() {}

    private static ArchRule pureCodeMayNot(ArchCondition<JavaClass> impure) {
        return noClasses()
                .that()
                .resideInAnyPackage(PURE_PACKAGES.toArray(String[]::new))
                .should(impure)
                .allowEmptyShould(true);
    }
}
