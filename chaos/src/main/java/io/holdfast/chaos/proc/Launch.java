package io.holdfast.chaos.proc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How to start a JVM of the run.
 *
 * @param prefix command that leads into a namespace; empty for none
 * @param classPath directories and jars, the first wins
 * @param options of the JVM
 * @param environment added to that of this process
 */
public record Launch(List<String> prefix, String classPath, List<String> options, Map<String, String> environment) {
    /** In the order of {@link List}; small heaps, as many of them share a machine. */
    static final List<String> COMMON_OPTIONS =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xshare:auto", "-Xlog:disable");

    /** Place in {@code /proc/PID/stat} behind the name. */
    private static final int START_TIME_AFTER_NAME = 19;

    public Launch {
        prefix = List.copyOf(prefix);
        options = List.copyOf(options);
        environment = Map.copyOf(environment);
    }

    public Launch with(String name, String value) {
        Map<String, String> more = new TreeMap<>(environment);
        more.put(name, value);
        return new Launch(prefix, classPath, options, more);
    }

    /** Starts it; output and errors are appended to a file. Its input stays open as long as this process lives. */
    Process start(Path log, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.add(
                Path.of(System.getProperty("java.home", "/usr"), "bin", "java").toString());
        command.addAll(COMMON_OPTIONS);
        command.addAll(options);
        command.add("-cp");
        command.add(classPath);
        command.add(mainClass);
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            record(process.pid(), log.resolveSibling("pids"));
            return process;
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot start " + mainClass, failed);
        }
    }

    /** Number and start time, so that {@code chaos/run} can end what this process could not. */
    private static void record(long pid, Path file) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String started = stat.substring(stat.lastIndexOf(')') + 2).split(" ")[START_TIME_AFTER_NAME];
        Files.writeString(file, pid + " " + started + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
