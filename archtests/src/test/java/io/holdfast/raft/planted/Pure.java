package io.holdfast.raft.planted;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Near misses: everything here is allowed in pure code. */
public final class Pure {
    public long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis) + Duration.ofMillis(millis).toNanos();
    }

    public Map<String, Integer> ordered(List<String> names) {
        Map<String, Integer> result = new LinkedHashMap<>(new TreeMap<>());
        names.forEach(name -> result.put(name, name.length()));
        return Collections.unmodifiableMap(result);
    }

    public Map<Integer, List<String>> grouped(List<String> names) {
        return names.stream().collect(Collectors.groupingBy(String::length, TreeMap::new, Collectors.toList()));
    }

    public Set<String> single(String only) {
        return only.isEmpty() ? Set.of() : Set.of(only);
    }

    public RuntimeException wrapped(ByteBuffer buffer) {
        return new UncheckedIOException(new IOException("short by " + buffer.remaining()));
    }
}
