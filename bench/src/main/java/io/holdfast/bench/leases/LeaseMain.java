package io.holdfast.bench.leases;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.load.RequestLoop;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * The load JVM: {@code LeaseMain HTTP-ADDRESSES}, then requests as {@link RequestLoop} takes them.
 *
 * <p><b>Thread:</b> the main one.
 */
public final class LeaseMain {
    private static final long POLL_MILLIS = 200;
    private static final long LEASE_MILLIS = 10_000;

    private LeaseMain() {}

    public static void main(String[] arguments) throws Exception {
        RequestLoop loop = RequestLoop.onStdout();
        LeaseCalls calls = new LeaseCalls(arguments[0]);
        loop.serve(request -> switch (request.verb()) {
            case "served" -> served(calls, request.integer("within"));
            case "pairs" -> new Pairs(calls, request).run();
            case "burst" -> new Burst(calls, request).run();
            case "names" -> new ManyNames(calls, request).run();
            default -> throw new IllegalArgumentException("no such request: " + request.verb());
        });
        Runtime.getRuntime().halt(0);
    }

    /** Waits until every server takes and gives back a lease. */
    static Fields served(LeaseCalls calls, int seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (int server = 0; server < calls.servers(); server++) {
            String name = "bench/served-" + server;
            while (true) {
                String problem = tried(calls, server, name);
                if (problem.isEmpty()) {
                    break;
                }
                if (problem.startsWith("this version") || System.nanoTime() > end) {
                    throw new IllegalStateException("leased locks are not served: " + problem);
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
        return new Fields("");
    }

    /** Empty if it worked, else what came of it. */
    private static String tried(LeaseCalls calls, int server, String name) {
        try {
            LeaseCalls.Answer taken =
                    calls.acquire(server, name, "bench", LEASE_MILLIS).join();
            if (taken.status() == LeaseCalls.OK) {
                calls.release(server, name, "bench", taken.token()).join();
                return "";
            }
            boolean known = taken.status() == LeaseCalls.UNAVAILABLE || taken.status() == LeaseCalls.HELD;
            return (known ? "" : "this version does not answer ") + "POST /v1/leases/acquire: " + taken.status() + " "
                    + taken.body().strip();
        } catch (CompletionException noAnswer) {
            return "POST /v1/leases/acquire: " + noAnswer.getCause();
        }
    }
}
