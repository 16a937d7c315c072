package io.holdfast.archtests;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Set;

/**
 * What pure code may not use: everything that could make two runs with the same input differ, or that could block.
 * Types are forbidden whole where every use is impure; single methods are forbidden where the type is fine otherwise.
 */
final class Impurity {
    private static final Set<String> CLOCK_METHODS =
            Set.of("java.lang.System.nanoTime", "java.lang.System.currentTimeMillis");

    private static final Set<String> ENVIRONMENT_METHODS = Set.of(
            "java.lang.System.getProperty",
            "java.lang.System.getProperties",
            "java.lang.System.getenv",
            "java.lang.Boolean.getBoolean",
            "java.lang.Integer.getInteger",
            "java.lang.Long.getLong");

    private static final Set<String> RANDOM_METHODS =
            Set.of("java.lang.Math.random", "java.lang.StrictMath.random", "java.util.UUID.randomUUID");

    private static final Set<String> IDENTITY_METHODS = Set.of("java.lang.System.identityHashCode");

    private static final Set<String> HASH_ORDERED_CONSTRUCTORS =
            Set.of("java.util.HashMap.<init>", "java.util.HashSet.<init>", "java.util.Hashtable.<init>");

    private Impurity() {}

    static DescribedPredicate<JavaClass> clockType() {
        return DescribedPredicate.describe(
                "clock types", type -> isOneOf(type, "java.time.Clock", "java.time.InstantSource", "java.util.Date"));
    }

    static DescribedPredicate<JavaAccess<?>> clockMethod() {
        return DescribedPredicate.describe(
                "a clock is read",
                access -> CLOCK_METHODS.contains(qualifiedName(access))
                        || (ownerPackage(access).equals("java.time")
                                && nameOf(access).equals("now")));
    }

    /** All of {@code java.util.concurrent} but {@code TimeUnit}: pure code is called by one thread at a time. */
    static DescribedPredicate<JavaClass> threadType() {
        return DescribedPredicate.describe(
                "thread types",
                type -> isOneOf(
                                type,
                                "java.lang.Thread",
                                "java.lang.ThreadGroup",
                                "java.lang.ThreadLocal",
                                "java.util.Timer",
                                "java.util.TimerTask")
                        || (isUnder(type, "java.util.concurrent")
                                && !type.getName().startsWith("java.util.concurrent.TimeUnit")));
    }

    static DescribedPredicate<JavaAccess<?>> monitorMethod() {
        return DescribedPredicate.describe(
                "a thread waits on a monitor",
                access -> access.getTargetOwner().getName().equals("java.lang.Object")
                        && Set.of("wait", "notify", "notifyAll").contains(nameOf(access)));
    }

    static DescribedPredicate<JavaClass> fileOrSocketType() {
        return DescribedPredicate.describe(
                "file, socket or process types",
                type -> type.getName().startsWith("java.io.File")
                        || isOneOf(
                                type,
                                "java.io.RandomAccessFile",
                                "java.io.Console",
                                "java.lang.Process",
                                "java.lang.ProcessBuilder",
                                "java.lang.Runtime")
                        || isUnder(type, "java.nio.file")
                        || isUnder(type, "java.nio.channels")
                        || isUnder(type, "java.net")
                        || isUnder(type, "javax.net"));
    }

    static DescribedPredicate<JavaAccess<?>> environmentMethod() {
        return DescribedPredicate.describe(
                "a system property or environment variable is read",
                access -> ENVIRONMENT_METHODS.contains(qualifiedName(access)));
    }

    static DescribedPredicate<JavaClass> randomType() {
        return DescribedPredicate.describe(
                "random number generators",
                type -> isOneOf(type, "java.util.Random", "java.util.SplittableRandom")
                        || isUnder(type, "java.util.random")
                        || (isUnder(type, "java.security")
                                && type.getSimpleName().equals("SecureRandom")));
    }

    /** {@code Collections.shuffle(List)} draws from a generator of its own. */
    static DescribedPredicate<JavaAccess<?>> randomMethod() {
        return DescribedPredicate.describe(
                "a random number is drawn",
                access -> RANDOM_METHODS.contains(qualifiedName(access))
                        || (qualifiedName(access).equals("java.util.Collections.shuffle")
                                && parameterCount(access) == 1));
    }

    static DescribedPredicate<JavaClass> identityOrderedType() {
        return DescribedPredicate.describe(
                "collections ordered by object identity",
                type -> isOneOf(type, "java.util.IdentityHashMap", "java.util.WeakHashMap"));
    }

    /**
     * Collections whose order is not fixed by their input: hash tables (the hash of an enum or of an object without
     * {@code hashCode} differs in every JVM) and immutable sets and maps of two or more elements (salted anew by every
     * JVM). {@code LinkedHashMap}, {@code TreeMap}, {@code EnumMap} and {@code List.of} take their place.
     */
    static DescribedPredicate<JavaAccess<?>> unstableOrder() {
        return DescribedPredicate.describe(
                "a collection without a fixed order is made",
                access -> IDENTITY_METHODS.contains(qualifiedName(access))
                        || HASH_ORDERED_CONSTRUCTORS.contains(qualifiedName(access))
                        || isSaltedFactory(access)
                        || isHashingCollector(access));
    }

    private static boolean isSaltedFactory(JavaAccess<?> access) {
        return switch (qualifiedName(access)) {
            case "java.util.Set.of" -> parameterCount(access) > 1 || takesArray(access);
            case "java.util.Map.of" -> parameterCount(access) > 2;
            case "java.util.Set.copyOf", "java.util.Map.copyOf", "java.util.Map.ofEntries" -> true;
            default -> false;
        };
    }

    private static boolean isHashingCollector(JavaAccess<?> access) {
        return switch (qualifiedName(access)) {
            case "java.util.stream.Collectors.toSet",
                    "java.util.stream.Collectors.toUnmodifiableSet",
                    "java.util.stream.Collectors.toUnmodifiableMap" -> true;
            case "java.util.stream.Collectors.toMap" -> parameterCount(access) < 4;
            case "java.util.stream.Collectors.groupingBy" -> parameterCount(access) < 3;
            default -> false;
        };
    }

    private static String qualifiedName(JavaAccess<?> access) {
        return access.getTargetOwner().getName() + "." + nameOf(access);
    }

    private static String nameOf(JavaAccess<?> access) {
        return access.getTarget().getName();
    }

    private static String ownerPackage(JavaAccess<?> access) {
        return access.getTargetOwner().getPackageName();
    }

    private static int parameterCount(JavaAccess<?> access) {
        return access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget target
                ? target.getRawParameterTypes().size()
                : 0;
    }

    private static boolean takesArray(JavaAccess<?> access) {
        return access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget target
                && target.getRawParameterTypes().stream().anyMatch(JavaClass::isArray);
    }

    private static boolean isOneOf(JavaClass type, String... names) {
        return Set.of(names).contains(type.getBaseComponentType().getName());
    }

    private static boolean isUnder(JavaClass type, String packageName) {
        String actual = type.getBaseComponentType().getPackageName();
        return actual.equals(packageName) || actual.startsWith(packageName + ".");
    }
}
