package io.holdfast.chaos.proc;

import java.nio.file.Path;
import java.util.List;

/** One {@code holdfast replica --config F}. */
public final class ReplicaProcess extends ManagedProcess {
    private static final String MAIN = "io.holdfast.cli.Main";

    private final Launch launch;
    private final Path config;
    private final Path dataDir;

    public ReplicaProcess(String name, Path log, Launch launch, Path config, Path dataDir) {
        super(name, log);
        this.launch = launch;
        this.config = config;
        this.dataDir = dataDir;
    }

    public Path dataDir() {
        return dataDir;
    }

    @Override
    Process launch() {
        return launch.start(log(), MAIN, List.of("replica", "--config", config.toString(), "--insecure"));
    }
}
