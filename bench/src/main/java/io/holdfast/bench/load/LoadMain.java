package io.holdfast.bench.load;

import io.holdfast.bench.driver.LockService;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The load JVM: {@code LoadMain DRIVER-CLASS ENDPOINTS}. Reads one request a line on stdin, {@code WORKLOAD key=value…}, and
 * answers each with one line on stdout, {@code ok key=value…} or {@code failed MESSAGE}. Ends with its input.
 */
public final class LoadMain {
    private LoadMain() {}

    public static void main(String[] arguments) throws Exception {
        // Only answers may go to stdout, whatever the libraries print.
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        LockService service = Class.forName(arguments[0])
                .asSubclass(LockService.class)
                .getDeclaredConstructor()
                .newInstance();
        Target target = new Target(service, arguments[1]);
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Failover failover = new Failover(target);
                Idle idle = new Idle(target)) {
            serve(requests, answers, target, failover, idle);
        }
        Runtime.getRuntime().halt(0);
    }

    private static void serve(BufferedReader requests, PrintStream answers, Target target, Failover failover, Idle idle)
            throws IOException {
        String line;
        while ((line = requests.readLine()) != null) {
            Fields request = Fields.parse(line);
            String answer;
            try {
                answer = "ok " + run(request, target, failover, idle);
            } catch (Exception | AssertionError problem) {
                problem.printStackTrace();
                answer = "failed " + request.verb() + ": " + problem.toString().replace('\n', ' ');
            }
            answers.println(answer);
        }
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
