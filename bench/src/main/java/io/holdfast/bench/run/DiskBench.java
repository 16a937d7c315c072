package io.holdfast.bench.run;

import io.holdfast.bench.disk.DiskProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code bench/disk}: whether a directory's disk is fast enough for a replica. */
final class DiskBench {
    private DiskBench() {}

    static boolean run(Options options) throws IOException {
        Path directory = options.path("dir");
        DiskProbe.Result result = DiskProbe.measure(directory, options.integer("seconds", 10, 2));
        Table table = new Table("directory", "file system", "fsyncs", "p50 ms", "p99 ms", "max ms");
        table.row(
                directory,
                Files.getFileStore(directory).type(),
                result.count(),
                Table.millis(result.p50Nanos()),
                Table.millis(result.p99Nanos()),
                Table.millis(result.maxNanos()));
        table.print();
        System.out.println(
                result.isFastEnough()
                        ? "good: 99 of 100 fsyncs take under 10 ms"
                        : "too slow for a replica: 99 of 100 fsyncs should take under 10 ms; use a disk of its own or a faster one");
        return result.isFastEnough();
    }
}
