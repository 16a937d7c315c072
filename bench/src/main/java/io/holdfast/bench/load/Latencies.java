package io.holdfast.bench.load;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Durations of one kind with three digits, which can travel from a load JVM and be added up with those of others.
 *
 * <p><b>Thread:</b> any, for {@link #record}; the rest when nothing is recorded any more.
 */
public final class Latencies {
    private static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final ConcurrentHistogram histogram = new ConcurrentHistogram(HIGHEST_NANOS, 3);

    public void record(long nanos) {
        histogram.recordValue(Math.min(Math.max(nanos, 0), HIGHEST_NANOS));
    }

    /** Forgets all. */
    public void reset() {
        histogram.reset();
    }

    public long count() {
        return histogram.getTotalCount();
    }

    /** @param percent 0 to 100; 0 nanoseconds if there is none */
    public long nanosAt(double percent) {
        return histogram.getValueAtPercentile(percent);
    }

    public long maxNanos() {
        return histogram.getMaxValue();
    }

    /** As a word without spaces. */
    public String encoded() {
        Histogram copy = histogram.copy();
        ByteBuffer bytes = ByteBuffer.allocate(copy.getNeededByteBufferCapacity());
        copy.encodeIntoCompressedByteBuffer(bytes);
        bytes.flip();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(toArray(bytes));
    }

    private static byte[] toArray(ByteBuffer bytes) {
        byte[] array = new byte[bytes.remaining()];
        bytes.get(array);
        return array;
    }

    /**
     * Adds what another has {@link #encoded}.
     *
     * @throws IllegalArgumentException if it is none
     */
    public void add(String encoded) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(encoded));
            histogram.add(Histogram.decodeFromCompressedByteBuffer(bytes, HIGHEST_NANOS));
        } catch (DataFormatException broken) {
            throw new IllegalArgumentException("not a histogram: " + encoded, broken);
        }
    }
}
