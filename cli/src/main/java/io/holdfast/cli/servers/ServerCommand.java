package io.holdfast.cli.servers;

import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.cli.support.GlobalOptions;
import io.holdfast.cli.support.NameCache;
import io.holdfast.server.config.ConfigException;
import io.holdfast.server.logging.ServerLogging;
import io.holdfast.server.parts.StartFailedException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that starts a server and runs until a signal ends it. */
abstract class ServerCommand implements Callable<Integer> {
    private static final int KILLED_BY_FAULT = 1;

    @Spec
    private CommandSpec spec;

    /** Checks and starts; what it returns is closed when the process is told to end. */
    abstract AutoCloseable start();

    /** Called when it has started. */
    abstract void started();

    @Override
    public Integer call() {
        NameCache.keepBriefly();
        ServerLogging.setVerbose(options().isVerbose());
        AutoCloseable server;
        try {
            server = start();
        } catch (ConfigException wrong) {
            throw CliException.of(ExitStatus.USAGE, "CONFIGURATION", String.valueOf(wrong.getMessage()));
        } catch (StartFailedException failed) {
            throw CliException.of(ExitStatus.REFUSED, "START_FAILED", String.valueOf(failed.getMessage()));
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "holdfast-shutdown"));
        started();
        waitForever();
        return ExitStatus.DONE.number();
    }

    private static void stop(AutoCloseable server) {
        Logger log = LoggerFactory.getLogger(ServerCommand.class);
        try {
            log.info("stopping");
            server.close();
            log.info("stopped");
        } catch (Exception failed) {
            log.error("stopping failed: {}", failed.toString());
        }
    }

    private static void waitForever() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says why in one line, then ends the process without another write to the disk. */
    static void fatal(String message, Throwable cause) {
        LoggerFactory.getLogger(ServerCommand.class).error("{}; the process ends", message, cause);
        Runtime.getRuntime().halt(KILLED_BY_FAULT);
    }

    /** As {@link #fatal}, for what an operator can put right: where in the program it happened says nothing. */
    static void refused(StartFailedException failed) {
        LoggerFactory.getLogger(ServerCommand.class).error("{}; the process ends", failed.getMessage());
        Runtime.getRuntime().halt(KILLED_BY_FAULT);
    }

    GlobalOptions options() {
        return holder().globalOptions();
    }

    Console console() {
        return holder().console();
    }

    CommandSpec spec() {
        return spec;
    }

    private GlobalOptions.Holder holder() {
        return (GlobalOptions.Holder) spec.root().userObject();
    }
}
