package io.holdfast.cli.support;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastClientBuilder;
import io.holdfast.client.RefusedException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that asks a cell: connects, runs, closes. */
public abstract class CellCommand implements Callable<Integer> {
    /** A command is over when it has its answer; the session, if there was one, ends in passing. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

    private static final Duration LONGEST_CALL_TIMEOUT = Duration.ofHours(24);

    @Spec
    private CommandSpec spec;

    /** Asks the cell; throws what it threw. */
    protected abstract void run(HoldfastClient client, Console console);

    /** Looks at the arguments before a connection is made. */
    protected void check() {}

    @Override
    public Integer call() {
        GlobalOptions options = options();
        check();
        try (HoldfastClient client = clientBuilder(options).build()) {
            run(client, console());
        }
        return ExitStatus.DONE.number();
    }

    protected static HoldfastClientBuilder clientBuilder(GlobalOptions options) {
        NameCache.keepBriefly();
        Duration timeout = options.callTimeout();
        return withEndpoints(HoldfastClient.builder().withoutCache(), options)
                .clientName(clientName())
                .callTimeout(timeout.compareTo(LONGEST_CALL_TIMEOUT) < 0 ? timeout : LONGEST_CALL_TIMEOUT)
                .closeTimeout(CLOSE_TIMEOUT);
    }

    private static HoldfastClientBuilder withEndpoints(HoldfastClientBuilder builder, GlobalOptions options) {
        try {
            return builder.endpoints(options.endpoints());
        } catch (RefusedException wrong) {
            throw CliException.usage("--endpoints: " + wrong.getMessage());
        }
    }

    /** What operators see in lists: who, where, which process. */
    private static String clientName() {
        String user = System.getProperty("user.name", "");
        String host = System.getenv().getOrDefault("HOSTNAME", "");
        String name = user + (host.isEmpty() ? "" : "@" + host) + "/"
                + ProcessHandle.current().pid();
        return name.replaceAll("\\p{Cntrl}", "?");
    }

    protected GlobalOptions options() {
        return holder().globalOptions();
    }

    protected Console console() {
        return holder().console();
    }

    private GlobalOptions.Holder holder() {
        return (GlobalOptions.Holder) spec.root().userObject();
    }
}
