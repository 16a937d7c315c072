package io.holdfast.cli.lock;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Console;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.RefusedException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that takes something, runs another command while it holds it, and gives it back; see {@link LockSession}. */
abstract class HoldCommand extends CellCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Path of the lock or election.")
    private String name;

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "CMD", description = "Command to run, after --.")
    private List<String> command = new ArrayList<>();

    @Mixin
    private HoldOptions hold;

    /** What is to be taken at the path, in words for messages. */
    abstract String what(String path);

    /** What is to be taken at the path. */
    abstract Taking taking(HoldfastClient client, String path, HoldOptions how);

    @Override
    protected void check() {
        hold.check();
    }

    @Override
    public Integer call() {
        check();
        HoldfastClient client = client();
        LockSession.Settings settings = new LockSession.Settings(what(name), command, hold.killAfter(), hold.onLost());
        LockSession session = new LockSession(client, settings, console(), options());
        return session.run(() -> taking(client, name, hold), hold.limit());
    }

    private HoldfastClient client() {
        try {
            return clientBuilder(options())
                    .sessionLease(hold.lease())
                    .closeTimeout(LockSession.CLOSE_TIMEOUT)
                    .build();
        } catch (RefusedException wrong) {
            throw CliException.usage(String.valueOf(wrong.getMessage()));
        }
    }

    @Override
    protected void run(HoldfastClient client, Console console) {
        throw new IllegalStateException("call() does all");
    }
}
