package io.holdfast.bench.load;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * What a load JVM does: reads one request a line on stdin, {@code WORKLOAD key=value…}, and answers each with one line on stdout,
 * {@code ok key=value…} or {@code failed MESSAGE}. Ends with its input. Stack traces go to stderr, which is its log.
 *
 * <p><b>Thread:</b> the main one.
 */
public final class RequestLoop {
    /** Does one thing at a time. */
    public interface Workload {
        Fields run(Fields request) throws Exception;
    }

    private final PrintStream answers;

    private RequestLoop(PrintStream answers) {
        this.answers = answers;
    }

    /** To be made first: only answers may go to stdout, whatever the libraries print. */
    public static RequestLoop onStdout() {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        return new RequestLoop(answers);
    }

    /** Returns at the end of the input. */
    public void serve(Workload workload) throws IOException {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line;
        while ((line = requests.readLine()) != null) {
            Fields request = Fields.parse(line);
            String answer;
            try {
                answer = "ok " + workload.run(request);
            } catch (Exception | AssertionError problem) {
                problem.printStackTrace();
                answer = "failed " + messageOf(request, problem).replace('\n', ' ');
            }
            answers.println(answer);
        }
    }

    /** What was said for people to read, or else what it is. */
    private static String messageOf(Fields request, Throwable problem) {
        return problem instanceof IllegalStateException && problem.getMessage() != null
                ? problem.getMessage()
                : request.verb() + ": " + problem;
    }
}
