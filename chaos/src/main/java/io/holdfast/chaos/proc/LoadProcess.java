package io.holdfast.chaos.proc;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;

/** A client process. Each start is a new life with a history of its own; it ends by itself when its input is closed. */
public final class LoadProcess extends ManagedProcess {
    private final Launch launch;
    private final String mainClass;
    private final IntFunction<List<String>> arguments;
    private int lives;

    /** @param arguments by the number of the life, from 1 */
    public LoadProcess(String name, Path log, Launch launch, String mainClass, IntFunction<List<String>> arguments) {
        super(name, log);
        this.launch = launch;
        this.mainClass = mainClass;
        this.arguments = arguments;
    }

    @Override
    Process launch() {
        lives++;
        return launch.start(log(), mainClass, arguments.apply(lives));
    }

    /** Asks it to finish what it does, release what it holds, and go. */
    public void finish() {
        expectDeath();
        Process running = process();
        if (running != null) {
            try {
                running.getOutputStream().close();
            } catch (IOException gone) {
                // It has ended already.
            }
        }
    }
}
