package io.holdfast.cli.lock;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.LockRecipe;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code holdfast lock}. */
@Command(
        name = "lock",
        description = {
            "Take a lock, run a command under it, release it, and exit with the command's status.",
            "",
            "The command finds HOLDFAST_LOCK, HOLDFAST_TOKEN, HOLDFAST_SESSION and HOLDFAST_ENDPOINTS in its environment."
                    + " It runs in a session and process group of its own; HUP, INT, QUIT, TERM, USR1 and USR2 are passed on to"
                    + " that group. When the command ends, what it left in its group is ended too, and only then the lock is"
                    + " released; a daemon that shall live on needs a session of its own (setsid).",
            "",
            "If the lease cannot be renewed, the group gets TERM at the local lease end minus --kill-after, and KILL at the"
                    + " local lease end, before the cell could grant the lock to another; then the exit status is 5.",
            "",
            "Without a command: print the token, hold until end of input or a signal, release."
        },
        footer = {
            "%nExamples:",
            "  holdfast lock /jobs/reindex -- ./reindex.sh",
            "  holdfast lock /jobs/reindex --try -- ./reindex.sh         # exit 4 if it is held",
            "  holdfast lock /jobs/reindex --timeout 30s -- ./reindex.sh # exit 4 if it is held for 30 s",
            "  holdfast lock /data/archive --shared -- ./read-archive.sh",
            "  holdfast lock /t -- sh -c 'echo $HOLDFAST_TOKEN'",
            "%nExit status: the command's own (126: it cannot be run, 127: not found); else 1 refused, 2 wrong usage,"
                    + " 3 cell unreachable, 4 not acquired, 5 lost, 128+n ended by signal n."
        })
public final class LockCommand extends HoldCommand {
    @Option(names = "--shared", description = "Hold beside other shared holders.")
    private boolean shared;

    @Override
    String what(String path) {
        return "the lock " + path;
    }

    @Override
    Taking taking(HoldfastClient client, String path, HoldOptions how) {
        LockRecipe recipe = client.lock(path).lockDelay(how.lockDelay());
        return Taking.of(shared ? recipe.shared() : recipe);
    }
}
