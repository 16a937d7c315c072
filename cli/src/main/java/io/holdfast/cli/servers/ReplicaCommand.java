package io.holdfast.cli.servers;

import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.server.ReplicaServer;
import io.holdfast.server.config.ConfigDoubts;
import io.holdfast.server.config.ConfigException;
import io.holdfast.server.config.ConfigKey;
import io.holdfast.server.config.ReplicaConfig;
import io.holdfast.server.config.ReplicaConfigLoader;
import io.holdfast.server.parts.StartFailedException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast replica}. */
@Command(
        name = "replica",
        description = {
            "Start one replica of a cell; clients, other replicas and HTTP each have a port of their own.",
            "Every key of the file is also an environment variable and an option; the order is default, file, environment,"
                    + " option."
        },
        footer = {
            "%nExamples:",
            "  holdfast replica --config /etc/holdfast/r1.yaml",
            "  holdfast replica --config r1.yaml --check            # only validate the configuration",
            "  holdfast replica --config r1.yaml --listen.client 127.0.0.1:8420"
        })
public final class ReplicaCommand extends ServerCommand {
    @Option(names = "--config", paramLabel = "FILE", description = "Configuration in YAML.")
    private @Nullable Path file;

    @Option(names = "--check", description = "Only validate the configuration, then exit.")
    private boolean check;

    @Option(
            names = "--insecure",
            description = "Allow addresses that other machines can reach although TLS is not set up.")
    private boolean insecure;

    private @Nullable ReplicaServer server;

    @Override
    public Integer call() {
        if (!check) {
            return super.call();
        }
        try {
            ConfigDoubts.of(load()).forEach(doubt -> console().note("holdfast: warning: " + doubt));
        } catch (ConfigException wrong) {
            throw CliException.of(ExitStatus.USAGE, "CONFIGURATION", String.valueOf(wrong.getMessage()));
        }
        console().result((file == null ? "configuration" : file) + ": ok");
        return ExitStatus.DONE.number();
    }

    private ReplicaConfig load() {
        Map<ConfigKey, String> flags = ServerKeys.given(spec(), ConfigKey.Server.REPLICA);
        return ReplicaConfigLoader.load(file, System.getenv(), flags, insecure);
    }

    @Override
    AutoCloseable start() {
        ReplicaServer started = ReplicaServer.start(load(), ServerCommand::fatal);
        server = started;
        return started;
    }

    @Override
    void started() {
        ReplicaServer running = server;
        if (running != null) {
            ReplicaConfig config = running.config();
            var unused = running.whenServing().whenComplete((nothing, failure) -> {
                if (failure instanceof StartFailedException refused) {
                    refused(refused);
                } else if (failure != null) {
                    fatal(String.valueOf(failure.getMessage()), failure);
                }
                console()
                        .result("ready: endpoint=" + config.listen().client() + " http=http://"
                                + config.listen().http());
            });
            LoggerFactory.getLogger(ReplicaCommand.class)
                    .info(
                            "replica {} of cell {} started with data in {}",
                            config.naming().replica(),
                            config.naming().cell(),
                            config.dataDir());
        }
    }
}
