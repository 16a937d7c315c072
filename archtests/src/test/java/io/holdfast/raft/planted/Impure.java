package io.holdfast.raft.planted;

import java.io.File;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** One method for each thing that pure code may not use. */
public interface Impure {
    /** Time. */
    final class Clocks {
        long millis() {
            return System.currentTimeMillis();
        }

        LongSupplier nanosByReference() {
            return System::nanoTime;
        }

        Instant instant() {
            return Instant.now();
        }

        LocalDate date() {
            return LocalDate.now();
        }

        long clock(Clock clock) {
            return clock.millis();
        }
    }

    /** Threads. */
    final class Threads {
        Thread thread() {
            return Thread.currentThread();
        }

        Executor executor() {
            return Runnable::run;
        }

        ReentrantLock lock() {
            return new ReentrantLock();
        }

        CompletableFuture<String> future() {
            return new CompletableFuture<>();
        }

        void wake(Object monitor) {
            synchronized (monitor) {
                monitor.notifyAll();
            }
        }
    }

    /** A lock without a type of its own. */
    final class Synchronized {
        synchronized int locked() {
            return 1;
        }
    }

    /** Files, sockets, processes. */
    final class Files {
        boolean file(File file) {
            return file.exists();
        }

        void randomAccess(RandomAccessFile file) {}

        Path path() {
            return Path.of("a");
        }

        void socket(Socket socket) {}

        void process(ProcessBuilder builder) {}
    }

    /** What the process was started with. */
    final class Environment {
        String property() {
            return System.getProperty("a");
        }

        String variable() {
            return System.getenv("A");
        }

        boolean flag() {
            return Boolean.getBoolean("a");
        }
    }

    /** Random numbers. */
    final class Randoms {
        Random random() {
            return new Random(1);
        }

        SecureRandom secure() {
            return new SecureRandom();
        }

        UUID uuid() {
            return UUID.randomUUID();
        }

        double math() {
            return Math.random();
        }

        void shuffle(List<String> list) {
            Collections.shuffle(list);
        }
    }

    /** A generator that hides among the concurrent types. */
    final class ThreadRandom {
        int number() {
            return ThreadLocalRandom.current().nextInt();
        }
    }

    /** Order by identity, by hash, by salt. */
    final class Orders {
        Map<Object, String> identity() {
            return new IdentityHashMap<>();
        }

        int identityHash(Object o) {
            return System.identityHashCode(o);
        }

        Map<String, String> hashMap() {
            return new HashMap<>();
        }

        Supplier<Set<String>> hashSetByReference() {
            return HashSet::new;
        }

        Set<String> salted() {
            return Set.of("a", "b");
        }

        Map<String, String> saltedMap(Map<String, String> map) {
            return Map.copyOf(map);
        }

        Set<String> collected(List<String> list) {
            return list.stream().collect(Collectors.toSet());
        }
    }
}
