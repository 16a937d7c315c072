package io.holdfast.bench.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Appends small blocks to a file in a directory, as a log does, and makes each durable before the next: how long that takes.
 */
public final class DiskProbe {
    /** Above it a leader's disk delays every commit noticeably, and elections become likely. */
    public static final long LINE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final int BLOCK_BYTES = 2_048;
    private static final int UNCOUNTED = 20;

    private DiskProbe() {}

    /**
     * What was measured.
     *
     * @param count of fsync calls
     */
    public record Result(long count, long p50Nanos, long p99Nanos, long maxNanos) {
        public boolean isFastEnough() {
            return p99Nanos <= LINE_NANOS;
        }
    }

    /** Runs for so long; leaves nothing behind. */
    public static Result measure(Path directory, double seconds) throws IOException {
        Path file = Files.createTempFile(directory, "disk-probe", ".tmp");
        Histogram histogram = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int i = 0; i < UNCOUNTED; i++) {
                append(channel, block);
            }
            long end = System.nanoTime() + (long) (seconds * 1e9);
            while (System.nanoTime() - end < 0) {
                histogram.recordValue(append(channel, block));
            }
        } finally {
            Files.deleteIfExists(file);
        }
        return new Result(
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(99),
                histogram.getMaxValue());
    }

    private static long append(FileChannel channel, ByteBuffer block) throws IOException {
        block.clear();
        while (block.hasRemaining()) {
            channel.write(block);
        }
        long begin = System.nanoTime();
        channel.force(false);
        return System.nanoTime() - begin;
    }
}
