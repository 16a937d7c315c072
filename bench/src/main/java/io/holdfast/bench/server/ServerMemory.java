package io.holdfast.bench.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What servers have in memory. <b>Thread:</b> any. */
public final class ServerMemory {
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    /** Of the heap's parts; the lines behind them are about classes. */
    private static final Pattern USED = Pattern.compile("total \\d+K, used (\\d+)K");

    private static final long COMMAND_SECONDS = 20;

    private ServerMemory() {}

    /**
     * Sums of several processes.
     *
     * @param residentBytes what the system counts as theirs, before a collection
     * @param heapBytes what was live on their heaps after one; 0 for what is no JVM
     */
    public record Sample(long residentBytes, long heapBytes) {}

    /** Collects garbage in each of them. */
    public static Sample of(List<ServerProcess> servers) throws InterruptedException {
        long resident = 0;
        long heap = 0;
        for (ServerProcess server : servers) {
            resident += resident(server.pid());
            jcmd(server.pid(), "GC.run");
            Matcher used = USED.matcher(jcmd(server.pid(), "GC.heap_info"));
            while (used.find()) {
                heap += Long.parseLong(used.group(1)) * 1024;
            }
        }
        return new Sample(resident, heap);
    }

    /** What the system counts as theirs, without a collection. */
    public static long residentOf(List<ServerProcess> servers) {
        return servers.stream().mapToLong(server -> resident(server.pid())).sum();
    }

    private static long resident(long pid) {
        try {
            Matcher found = RESIDENT.matcher(Files.readString(Path.of("/proc/" + pid + "/status")));
            return found.find() ? Long.parseLong(found.group(1)) * 1024 : 0;
        } catch (IOException gone) {
            throw new UncheckedIOException("a server process is gone: " + pid, gone);
        }
    }

    private static String jcmd(long pid, String command) throws InterruptedException {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        try {
            Process process = new ProcessBuilder(tool.toString(), String.valueOf(pid), command)
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            return said;
        } catch (IOException noSuchTool) {
            return "";
        }
    }
}
