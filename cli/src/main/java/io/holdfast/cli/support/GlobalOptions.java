package io.holdfast.cli.support;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Options that every command has, before or after its name. */
public final class GlobalOptions {
    /** How results and errors are written. */
    public enum OutputFormat {
        text,
        json
    }

    /** Who holds the options and the streams: the root command. */
    public interface Holder {
        GlobalOptions globalOptions();

        Console console();
    }

    @Option(
            names = "--endpoints",
            scope = ScopeType.INHERIT,
            paramLabel = "HOST:PORT,…",
            defaultValue = "${env:HOLDFAST_ENDPOINTS:-127.0.0.1:7420}",
            description = "Client addresses of the cell, tried in turn (env HOLDFAST_ENDPOINTS).")
    private String endpoints = "127.0.0.1:7420";

    @Option(
            names = "--output",
            scope = ScopeType.INHERIT,
            paramLabel = "text|json",
            defaultValue = "${env:HOLDFAST_OUTPUT:-text}",
            description =
                    "One JSON document on standard output, errors as JSON on standard error (env HOLDFAST_OUTPUT).")
    private OutputFormat output = OutputFormat.text;

    @Option(
            names = "--call-timeout",
            scope = ScopeType.INHERIT,
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "${env:HOLDFAST_CALL_TIMEOUT:-10s}",
            description = "No answer from a leader within it: exit 3 (env HOLDFAST_CALL_TIMEOUT).")
    private Duration callTimeout = Duration.ofSeconds(10);

    @Option(names = "--tls-ca", scope = ScopeType.INHERIT, paramLabel = "FILE", description = "Not available yet.")
    private @Nullable String tlsCa;

    @Option(names = "--tls-cert", scope = ScopeType.INHERIT, paramLabel = "FILE", description = "Not available yet.")
    private @Nullable String tlsCert;

    @Option(names = "--tls-key", scope = ScopeType.INHERIT, paramLabel = "FILE", description = "Not available yet.")
    private @Nullable String tlsKey;

    @Option(
            names = "--auth-token",
            scope = ScopeType.INHERIT,
            paramLabel = "CREDENTIAL",
            defaultValue = "${env:HOLDFAST_AUTH_TOKEN:-}",
            description = "Credential (env HOLDFAST_AUTH_TOKEN). Cells do not ask for one yet.")
    private String authToken = "";

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Say more on standard error.")
    private boolean verbose;

    @Option(
            names = {"-q", "--quiet"},
            scope = ScopeType.INHERIT,
            description = "Say only errors on standard error.")
    private boolean quiet;

    @Option(
            names = {"-h", "--help"},
            scope = ScopeType.INHERIT,
            usageHelp = true,
            description = "Show how to use it.")
    @SuppressWarnings("unused")
    private boolean help;

    /** Where the cell is, as given. */
    public String endpoints() {
        requireNoTls();
        return endpoints;
    }

    private void requireNoTls() {
        if (tlsCa != null || tlsCert != null || tlsKey != null) {
            throw CliException.usage("--tls-ca, --tls-cert and --tls-key: TLS is not available yet");
        }
    }

    public String authToken() {
        return authToken;
    }

    public Duration callTimeout() {
        if (callTimeout.isZero()) {
            throw CliException.usage("--call-timeout must be longer than 0");
        }
        return callTimeout;
    }

    public boolean isJson() {
        return output == OutputFormat.json;
    }

    public boolean isVerbose() {
        return verbose;
    }

    public boolean isQuiet() {
        return quiet;
    }
}
