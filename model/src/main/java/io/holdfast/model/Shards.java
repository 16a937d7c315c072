package io.holdfast.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The shards of a deployment: small cells that the names of leased locks are spread over, {@code shard-00}, {@code shard-01}
 * and so on.
 *
 * <p>Which one a name belongs to is published and never changes: the unsigned CRC-32C of its UTF-8 bytes, modulo the count.
 *
 * <p><b>Invariant:</b> the count is fixed when a deployment is made; two counts at work in one deployment would give a name two
 * homes, and so two holders.
 *
 * <p><b>Source:</b> R7.4; ADR 0015.
 *
 * @param count 0 to {@link #MAX_COUNT}; 0 for none
 */
public record Shards(int count) {
    public static final int DEFAULT_COUNT = 20;
    public static final int MAX_COUNT = 1_000;

    /** A deployment without shards. */
    public static final Shards NONE = new Shards(0);

    private static final String PREFIX = "shard-";

    public Shards {
        if (count < 0 || count > MAX_COUNT) {
            throw new IllegalArgumentException("shards: " + count + " is outside 0 to " + MAX_COUNT);
        }
    }

    /** The shard of a name, 0 to {@code count - 1}. There must be shards. */
    public int shardOf(String name) {
        if (count == 0) {
            throw new IllegalStateException("this deployment has no shards");
        }
        CRC32C crc = new CRC32C();
        crc.update(name.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % count);
    }

    /** The cell that a name belongs to. There must be shards. */
    public String cellOf(String name) {
        return cellName(shardOf(name));
    }

    /** Name of a shard's cell: its number with two digits at least. */
    public static String cellName(int shard) {
        return PREFIX + (shard < 10 ? "0" : "") + shard;
    }

    /** Whether a cell's name is kept for shards; another cell must not be called so. */
    public static boolean isShardName(String cell) {
        return cell.startsWith(PREFIX);
    }

    /** Names of the cells, in order of their numbers. */
    public List<String> cellNames() {
        List<String> names = new ArrayList<>(count);
        for (int shard = 0; shard < count; shard++) {
            names.add(cellName(shard));
        }
        return names;
    }
}
