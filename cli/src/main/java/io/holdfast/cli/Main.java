package io.holdfast.cli;

import io.holdfast.cli.process.QuitWatch;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.ClientErrors;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.EnvironmentNames;
import io.holdfast.cli.support.Errors;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.client.HoldfastException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.logging.LogManager;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The entry point: parses, runs, and turns whatever happens into one line and an exit status. */
public final class Main {
    private static final int USAGE_WIDTH = 100;
    /** What Java makes of bytes that are not UTF-8. */
    private static final char REPLACEMENT = '\uFFFD';

    private static final List<String> SERVERS = List.of("dev", "replica", "proxy");

    private final HoldfastCommand root;
    private final Console console;

    private Main(Console console) {
        this.root = new HoldfastCommand(console);
        this.console = console;
    }

    /** Never returns. */
    public static void main(String[] args) {
        var unused = QuitWatch.ofProcess();
        quietLibraries(args);
        System.exit(run(Console.standard(), args));
    }

    /** Runs one command; the exit status. */
    static int run(Console console, String... args) {
        return new Main(console).run(args);
    }

    /** Short commands say what matters themselves, so their libraries log nothing, and nothing is set up for it. */
    private static void quietLibraries(String[] args) {
        List<String> words = Arrays.asList(args);
        boolean server = Commands.asked(args).filter(SERVERS::contains).isPresent();
        boolean verbose = words.contains("-v") || words.contains("--verbose");
        if (!server && !verbose) {
            System.setProperty("slf4j.provider", "org.slf4j.helpers.NOP_FallbackServiceProvider");
            System.setProperty("slf4j.internal.verbosity", "ERROR");
        }
        LogManager.getLogManager().reset();
        // Its memory events would load the flight recorder, for a good part of the time that a command takes.
        System.setProperty("io.grpc.netty.shaded.io.netty.jfr.enabled", "false");
    }

    private int run(String[] args) {
        CommandLine command = new CommandLine(root);
        Commands.addTo(command, args);
        command.setExpandAtFiles(false)
                .setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setUsageHelpWidth(USAGE_WIDTH)
                .setParameterExceptionHandler((wrong, words) -> wrongUsage(wrong, words))
                .setExecutionExceptionHandler((failure, failed, parsed) -> failed(failure, args));
        if (args.length == 0) {
            command.usage(console.err());
            return ExitStatus.USAGE.number();
        }
        Optional<String> changed = Arrays.stream(args)
                .filter(word -> word.indexOf(REPLACEMENT) >= 0)
                .findFirst();
        if (changed.isPresent()) {
            String hint = Commands.asked(args).filter("put"::equals).isPresent() ? "; put PATH - reads bytes" : "";
            Errors.print(console, isJson(args), CliException.usage("'" + changed.get() + "' is not UTF-8 text" + hint));
            return ExitStatus.USAGE.number();
        }
        return written(command.execute(args));
    }

    /** Help, too, is a result that may not be lost unnoticed; after an error there is that to be told. */
    private int written(int status) {
        try {
            if (status == ExitStatus.DONE.number()) {
                console.requireWritten();
            }
            return status;
        } catch (CliException failed) {
            return failed(failed, new String[0]);
        }
    }

    private int wrongUsage(ParameterException wrong, String[] args) {
        CliException error = CliException.usage(named(wrong, args));
        boolean json = isJson(args);
        Errors.print(console, json, error);
        if (!json) {
            UnmatchedArgumentException.printSuggestions(
                    wrong, wrong.getCommandLine().getErr());
            // Not the whole help: it would push the reason out of sight.
            console.err()
                    .println("holdfast: see '"
                            + wrong.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
        }
        return error.exitStatus();
    }

    private static String named(Exception wrong, String[] args) {
        return EnvironmentNames.inMessage(String.valueOf(wrong.getMessage()), List.of(args), System.getenv());
    }

    /** The options may not have been parsed when this is asked. */
    private boolean isJson(String[] args) {
        return root.globalOptions().isJson()
                || Arrays.asList(args).contains("json")
                || Arrays.asList(args).contains("--output=json");
    }

    private int failed(Exception failure, String[] args) {
        CliException error;
        if (failure instanceof CliException known) {
            boolean usage = known.exitStatus() == ExitStatus.USAGE.number() && !known.isSilent();
            error = usage ? CliException.of(known, named(known, args)) : known;
        } else if (failure instanceof HoldfastException known) {
            error = ClientErrors.translate(known);
        } else {
            error = CliException.of(ExitStatus.REFUSED, "INTERNAL", "unexpected: " + failure + " (-v shows more)");
        }
        Errors.print(console, root.globalOptions().isJson(), error);
        if (root.globalOptions().isVerbose()) {
            failure.printStackTrace(console.err());
        }
        return error.exitStatus();
    }
}
