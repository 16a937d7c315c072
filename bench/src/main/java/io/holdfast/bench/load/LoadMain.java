package io.holdfast.bench.load;

import io.holdfast.bench.driver.LockService;

/** The load JVM that drives one lock service: {@code LoadMain DRIVER-CLASS ENDPOINTS}, then requests as {@link RequestLoop} takes them. */
public final class LoadMain {
    private LoadMain() {}

    public static void main(String[] arguments) throws Exception {
        RequestLoop loop = RequestLoop.onStdout();
        LockService service = Class.forName(arguments[0])
                .asSubclass(LockService.class)
                .getDeclaredConstructor()
                .newInstance();
        Target target = new Target(service, arguments[1]);
        try (Failover failover = new Failover(target);
                Idle idle = new Idle(target)) {
            loop.serve(request -> run(request, target, failover, idle));
        }
        Runtime.getRuntime().halt(0);
    }

    private static Fields run(Fields request, Target target, Failover failover, Idle idle) throws Exception {
        return switch (request.verb()) {
            case "locks" -> Locks.run(target, request);
            case "handoff" -> Handoff.run(target, request);
            case "herd" -> Herd.run(target, request);
            case "writes" -> Writes.run(target, request);
            case "creates" -> Creates.run(target, request);
            case "idle-open" -> idle.open(request);
            case "idle-check" -> idle.check();
            case "reads" -> Reads.run(target, request);
            case "failover-open" -> failover.open(request);
            case "failover-mark" -> failover.mark();
            case "failover-after" -> failover.after(request);
            default -> throw new IllegalArgumentException("no such workload: " + request.verb());
        };
    }
}
