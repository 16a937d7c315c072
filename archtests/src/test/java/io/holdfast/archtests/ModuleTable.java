package io.holdfast.archtests;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which module may use which. The module of a class is the package segment after {@code io.holdfast}. A module may use
 * what its row lists and what those may use in turn.
 */
final class ModuleTable {
    private static final String ROOT = "io.holdfast.";

    private static final Map<String, Set<String>> DIRECT = new TreeMap<>(Map.ofEntries(
            Map.entry("model", Set.of()),
            Map.entry("raft", Set.of()),
            Map.entry("cell", Set.of("model")),
            Map.entry("protocol", Set.of("model")),
            Map.entry("storage", Set.of("raft")),
            Map.entry("replica", Set.of("raft", "cell", "protocol", "storage")),
            Map.entry("client", Set.of("protocol")),
            Map.entry("proxy", Set.of("protocol", "client")),
            Map.entry("fencing", Set.of("model")),
            Map.entry("server", Set.of("replica", "proxy")),
            Map.entry("cli", Set.of("client", "server")),
            Map.entry("integrations", Set.of("client")),
            Map.entry("testkit", Set.of("server", "client")),
            Map.entry("simulation", Set.of("raft", "cell", "storage", "protocol", "replica", "client", "proxy")),
            Map.entry("chaos", Set.of("client", "cli", "simulation", "fencing")),
            Map.entry("bench", Set.of("client"))));

    private ModuleTable() {}

    static ArchCondition<JavaClass> onlyUseModulesAboveThem() {
        return new ArchCondition<>("belong to a known module and only use modules that it may use") {
            @Override
            public void check(JavaClass origin, ConditionEvents events) {
                String module = moduleOf(origin);
                if (!DIRECT.containsKey(module)) {
                    events.add(SimpleConditionEvent.violated(
                            origin, origin.getName() + " lies in no known module (known: " + DIRECT.keySet() + ")"));
                    return;
                }
                Set<String> allowed = reachableFrom(module);
                for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    if (target.getPackageName().startsWith(ROOT) && !allowed.contains(moduleOf(target))) {
                        events.add(SimpleConditionEvent.violated(
                                dependency, "module " + module + ": " + dependency.getDescription()));
                    }
                }
            }
        };
    }

    /** The module itself and everything that it may use, directly or through another. */
    private static Set<String> reachableFrom(String module) {
        Set<String> reached = new TreeSet<>();
        addReachable(module, reached);
        return reached;
    }

    private static void addReachable(String module, Set<String> reached) {
        if (reached.add(module)) {
            DIRECT.get(module).forEach(used -> addReachable(used, reached));
        }
    }

    private static String moduleOf(JavaClass javaClass) {
        String packageName = javaClass.getPackageName();
        if (!packageName.startsWith(ROOT)) {
            return "";
        }
        String rest = packageName.substring(ROOT.length());
        int dot = rest.indexOf('.');
        return dot < 0 ? rest : rest.substring(0, dot);
    }
}
