package io.holdfast.cli.servers;

import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Json;
import io.holdfast.server.DevCell;
import io.holdfast.server.config.ReplicaConfig;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast dev}. */
@Command(
        name = "dev",
        description = {
            "Start a durable cell of several replicas in this process, for development and tests.",
            "It runs until Ctrl-C; started again in the same directory it has everything it had.",
            "All its ports are on the loopback interface: P for clients, P+1 for HTTP, P+2 and up for the replicas."
        },
        footer = {
            "%nExamples:",
            "  holdfast dev",
            "  holdfast dev --port 8420 --data /tmp/cell",
            "  holdfast dev --replicas 1"
        })
public final class DevCommand extends ServerCommand {
    private static final String DATA_VARIABLE = "HOLDFAST_DATA";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Directory of its data (env HOLDFAST_DATA; default .holdfast/dev).")
    private @Nullable String data;

    @Option(names = "--replicas", paramLabel = "N", description = "Number of replicas, 1 to 7 (default 3).")
    private int replicas = DevCell.DEFAULT_REPLICAS;

    @Option(names = "--port", paramLabel = "P", description = "Client port (default 7420).")
    private int port = ReplicaConfig.DEFAULT_CLIENT_PORT;

    @Option(
            names = "--shards",
            paramLabel = "N",
            description = "Cells of the leased locks, 0 for none; fixed when the cell is made (default 20).")
    private int shards = ReplicaConfig.DEFAULT_SHARDS;

    @Override
    AutoCloseable start() {
        DevCell.Settings settings;
        try {
            settings = new DevCell.Settings(directory(data, System.getenv()), replicas, port, shards);
        } catch (IllegalArgumentException wrong) {
            throw CliException.usage(String.valueOf(wrong.getMessage()));
        }
        return DevCell.start(settings, ServerCommand::fatal);
    }

    /** An empty variable counts as none, as a script with an unset one has it; an empty option is a mistake. */
    static Path directory(@Nullable String given, Map<String, String> environment) {
        if (given != null && given.isBlank()) {
            throw CliException.usage("--data must not be empty");
        }
        String inherited = environment.getOrDefault(DATA_VARIABLE, "");
        if (given != null) {
            return Path.of(given);
        }
        return inherited.isBlank() ? Path.of(".holdfast", "dev") : Path.of(inherited);
    }

    @Override
    void started() {
        String client = "127.0.0.1:" + port;
        String http = "http://127.0.0.1:" + (port + 1);
        if (options().isJson()) {
            console().announce(Json.write(Json.object("ready", true, "endpoint", client, "http", http)));
            return;
        }
        console().announce("ready: endpoint=" + client + " http=" + http);
        String endpoints = port == ReplicaConfig.DEFAULT_CLIENT_PORT ? "" : " --endpoints " + client;
        String command = System.getProperty("holdfast.command", "holdfast");
        console()
                .announce(
                        "try: " + command + " lock /jobs/hello" + endpoints + " -- sh -c 'echo token $HOLDFAST_TOKEN'");
    }
}
