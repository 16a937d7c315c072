package io.holdfast.cli.servers;

import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.server.ProxyServer;
import io.holdfast.server.config.ConfigException;
import io.holdfast.server.config.ConfigKey;
import io.holdfast.server.config.ProxyConfig;
import io.holdfast.server.config.ProxyConfigLoader;
import io.holdfast.server.parts.StartFailedException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast proxy}. */
@Command(
        name = "proxy",
        description = {
            "Start a proxy: it carries the streams of many clients to the cell's leader over one connection.",
            "It has no data; any number of them may run. TERM has its clients move to other endpoints before it ends.",
            "Every key of the file is also an environment variable and an option; the order is default, file, environment,"
                    + " option."
        },
        footer = {
            "%nExamples:",
            "  holdfast proxy --config /etc/holdfast/proxy.yaml",
            "  holdfast proxy --config proxy.yaml --check            # only validate the configuration",
            "  holdfast proxy --listen.client 127.0.0.1:7520 --listen.http 127.0.0.1:7521 --upstream 127.0.0.1:7420"
        })
public final class ProxyCommand extends ServerCommand {
    @Option(names = "--config", paramLabel = "FILE", description = "Configuration in YAML.")
    private @Nullable Path file;

    @Option(names = "--check", description = "Only validate the configuration, then exit.")
    private boolean check;

    @Option(
            names = "--insecure",
            description = "Allow addresses that other machines can reach although TLS is not set up.")
    private boolean insecure;

    private @Nullable ProxyServer server;

    @Override
    public Integer call() {
        if (!check) {
            return super.call();
        }
        try {
            var unused = load();
        } catch (ConfigException wrong) {
            throw CliException.of(ExitStatus.USAGE, "CONFIGURATION", String.valueOf(wrong.getMessage()));
        }
        console().result((file == null ? "configuration" : file) + ": ok");
        return ExitStatus.DONE.number();
    }

    private ProxyConfig load() {
        return ProxyConfigLoader.load(
                file, System.getenv(), ServerKeys.given(spec(), ConfigKey.Server.PROXY), insecure);
    }

    @Override
    AutoCloseable start() {
        ProxyServer started = ProxyServer.start(load());
        server = started;
        return started;
    }

    @Override
    void started() {
        ProxyServer running = server;
        if (running == null) {
            return;
        }
        ProxyConfig config = running.config();
        var unused = running.whenServing().whenComplete((nothing, failure) -> {
            if (failure instanceof StartFailedException refused) {
                refused(refused);
            } else if (failure != null) {
                fatal(String.valueOf(failure.getMessage()), failure);
            }
            console().result("ready: endpoint=" + config.client() + " http=http://" + config.http());
        });
        LoggerFactory.getLogger(ProxyCommand.class).info("proxy started; upstreams are {}", config.upstream());
    }
}
