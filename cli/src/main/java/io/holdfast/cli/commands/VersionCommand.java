package io.holdfast.cli.commands;

import io.holdfast.cli.support.ExitStatus;
import io.holdfast.cli.support.GlobalOptions;
import io.holdfast.cli.support.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code holdfast version}. */
@Command(
        name = "version",
        description = "Print the version, the commit that it was built from, and the Java it runs on.",
        footer = {"%nExamples:", "  holdfast version", "  holdfast version --output json"})
public final class VersionCommand implements Callable<Integer> {
    /** Set by the launcher, which notes it when it builds. */
    private static final String COMMIT_PROPERTY = "holdfast.commit";

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        GlobalOptions.Holder root = (GlobalOptions.Holder) spec.root().userObject();
        String commit = System.getProperty(COMMIT_PROPERTY, "unknown");
        String java = Runtime.version().toString();
        if (root.globalOptions().isJson()) {
            root.console().result(Json.write(Json.object("version", version(), "commit", commit, "java", java)));
        } else {
            root.console().result("holdfast " + version() + " (commit " + commit + ", Java " + java + ")");
        }
        return ExitStatus.DONE.number();
    }

    /** Of this build. */
    public static String version() {
        Properties properties = new Properties();
        try (InputStream resource = VersionCommand.class.getResourceAsStream("/io/holdfast/cli/version.properties")) {
            if (resource != null) {
                properties.load(resource);
            }
        } catch (IOException unreadable) {
            return "unknown";
        }
        return properties.getProperty("version", "unknown");
    }
}
