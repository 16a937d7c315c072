package io.holdfast.chaos.plant;

import io.holdfast.simulation.mutation.Mutant;
import io.holdfast.simulation.mutation.Mutants;
import io.holdfast.simulation.mutation.SourceText;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Breaks rules of the service on purpose: patches the text of sources by the simulation's table of mutants, compiles them
 * aside, and makes a jar to put in front of the real ones. The service itself has no hooks for this.
 */
public final class Plant {
    private final Path sources;
    private final Path work;

    /**
     * @param sources root of the repository
     * @param work directory to write to
     */
    public Plant(Path sources, Path work) {
        this.sources = sources;
        this.work = work;
    }

    /**
     * The jar with the broken classes.
     *
     * @param names of mutants; the patches of all of them are applied
     * @param classPath of the real ones
     */
    public Path jar(List<String> names, String classPath) throws IOException {
        Map<String, String> patched = new TreeMap<>();
        for (String name : names) {
            for (Mutant.Patch patch : mutant(name).patches()) {
                apply(patch, name, patched);
            }
        }
        Path classes = work.resolve("planted-classes");
        Files.createDirectories(classes);
        compile(patched, classPath, classes);
        return pack(classes);
    }

    private static Mutant mutant(String name) {
        return Mutants.all().stream()
                .filter(mutant -> mutant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no mutant is called '" + name + "'; there are "
                        + Mutants.all().stream().map(Mutant::name).toList()));
    }

    private void apply(Mutant.Patch patch, String name, Map<String, String> patched) throws IOException {
        String before = patched.get(patch.file());
        if (before == null) {
            before = Files.readString(sources.resolve(patch.file()));
        }
        int first = before.indexOf(patch.from());
        if (first < 0 || before.indexOf(patch.from(), first + 1) >= 0) {
            throw new IllegalStateException(
                    "mutant " + name + ": '" + patch.from() + "' must occur exactly once in " + patch.file());
        }
        patched.put(
                patch.file(),
                before.substring(0, first)
                        + patch.to()
                        + before.substring(first + patch.from().length()));
    }

    private static void compile(Map<String, String> patched, String classPath, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("a JDK is needed to plant bugs, this is a mere runtime");
        }
        List<JavaFileObject> units = new ArrayList<>();
        patched.forEach((file, text) -> units.add(new SourceText(file, text)));
        StringWriter complaints = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("-proc:none", "-nowarn", "-classpath", classPath, "-d", classes.toString());
            if (!compiler.getTask(complaints, files, null, options, null, units).call()) {
                throw new IllegalStateException("a planted bug does not compile:\n" + complaints);
            }
        }
    }

    private Path pack(Path classes) throws IOException {
        Path jar = work.resolve("planted.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
        return jar;
    }
}
