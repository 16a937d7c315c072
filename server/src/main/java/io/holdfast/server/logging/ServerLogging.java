package io.holdfast.server.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Configures Logback in code, which takes a fraction of the time that reading a file takes. A {@code logback.xml} named by
 * {@code -Dlogback.configurationFile} goes first.
 */
public final class ServerLogging extends ContextAwareBase implements Configurator {
    private static final String LINE = "%d{\"yyyy-MM-dd'T'HH:mm:ss.SSSXXX\"} %-5level %msg%nopex%n";
    private static final String LINE_WITH_CAUSE = "%d{\"yyyy-MM-dd'T'HH:mm:ss.SSSXXX\"} %-5level %logger{20} %msg%n%ex";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty("logback.configurationFile") != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        install(context, false);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** With {@code verbose}, everything of Holdfast and the causes of failures. Call before the first line is logged. */
    public static void setVerbose(boolean verbose) {
        if (verbose && LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.reset();
            install(context, true);
        }
    }

    private static void install(LoggerContext context, boolean verbose) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(verbose ? LINE_WITH_CAUSE : LINE);
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(appender);
        context.getLogger("io.holdfast").setLevel(verbose ? Level.DEBUG : Level.INFO);
        // Jetty tells of its own start; our endpoint says what matters.
        context.getLogger("org.eclipse.jetty").setLevel(Level.ERROR);
        context.getLogger("io.javalin").setLevel(Level.ERROR);
    }
}
