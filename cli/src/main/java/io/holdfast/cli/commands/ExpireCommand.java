package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.cli.support.Json;
import io.holdfast.client.HoldfastClient;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code holdfast expire}. */
@Command(
        name = "expire",
        description = {
            "End a session with all that it holds and waits for, and wait until it has ended.",
            "",
            "Its client is told to stop, and the next in line is let in when it has, or when the lease that was promised to it"
                    + " is over; never before. Holds with a lock-delay are followed by it, as after every expiry."
        },
        footer = {
            "%nExamples:",
            "  holdfast sessions",
            "  holdfast expire 4711",
            "  holdfast expire 4711 --call-timeout 60s   # a frozen client's lease may last so long",
            "%nExit status: 0 ended, 1 no such session, 3 cell unreachable, 4 still waiting for its client when the call"
                    + " timeout was over (it goes on ending; ask again)."
        })
public final class ExpireCommand extends CellCommand {
    @Parameters(
            index = "0",
            paramLabel = "SESSION",
            description = "Number of the session, as 'sessions' and 'locks' show it.")
    private long session;

    @Override
    protected void check() {
        if (session <= 0) {
            throw CliException.usage("SESSION " + session + ": sessions are numbered from 1");
        }
    }

    @Override
    protected void run(HoldfastClient client, Console console) {
        SessionId id = new SessionId(session);
        EndingRun.Order order = new EndingRun.Order(
                "session " + session, EndingRun.Question.of(() -> client.admin().expireAsync(id)));
        new EndingRun(console, options()).run(List.of(order), over -> {});
        CliException failure = order.failure();
        if (failure != null) {
            throw failure;
        }
        Outcome.BeingEnded ended = order.ended();
        if (ended == null) {
            throw CliException.of(ExitStatus.REFUSED, "NOT_FOUND", "there is no session " + session);
        }
        if (options().isJson()) {
            console.result(Json.write(Json.object("session", session, "client", ended.clientName(), "expired", true)));
        } else {
            console.result(
                    "expired session " + session + (ended.clientName().isEmpty() ? "" : " of " + ended.clientName()));
        }
    }
}
