package io.holdfast.archtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/** Holds all production code to {@link Rules}. */
@AnalyzeClasses(packages = "io.holdfast", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule noPackageCycles = Rules.NO_PACKAGE_CYCLES;

    @ArchTest
    static final ArchRule moduleDirection = Rules.MODULE_DIRECTION;

    @ArchTest
    static final ArchRule pureCodeReadsNoClock = Rules.PURE_CODE_READS_NO_CLOCK;

    @ArchTest
    static final ArchRule pureCodeHasNoThreads = Rules.PURE_CODE_HAS_NO_THREADS;

    @ArchTest
    static final ArchRule pureCodeHasNoSynchronizedMethods = Rules.PURE_CODE_HAS_NO_SYNCHRONIZED_METHODS;

    @ArchTest
    static final ArchRule pureCodeOpensNoFileOrSocket = Rules.PURE_CODE_OPENS_NO_FILE_OR_SOCKET;

    @ArchTest
    static final ArchRule pureCodeReadsNoEnvironment = Rules.PURE_CODE_READS_NO_ENVIRONMENT;

    @ArchTest
    static final ArchRule pureCodeDrawsNoRandomNumbers = Rules.PURE_CODE_DRAWS_NO_RANDOM_NUMBERS;

    @ArchTest
    static final ArchRule pureCodeHasAFixedOrder = Rules.PURE_CODE_HAS_A_FIXED_ORDER;

    @ArchTest
    static final ArchRule generatedTypesStayAtTheEdge = Rules.GENERATED_TYPES_STAY_AT_THE_EDGE;

    @ArchTest
    static final ArchRule noForeignAnnotations = Rules.NO_FOREIGN_ANNOTATIONS;

    /** A module missing from this module's class path would pass every rule unseen. */
    @ArchTest
    static void everySourceFileIsSeen(JavaClasses seen) {
        List<String> unseen = SourceTree.ofThisBuild().mainClassNames().stream()
                .filter(name -> !seen.contain(name))
                .toList();
        assertThat(unseen)
                .as("classes in src/main/java that no rule looks at; is the module a dependency of archtests?")
                .isEmpty();
    }
}
