package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.CliException;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.Leader;
import io.holdfast.client.Subscription;
import io.holdfast.client.WatchListener;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast leader}. */
@Command(
        name = "leader",
        description = {
            "Print what the leader of an election campaigned with; exit 1 if nobody leads.",
            "Brief times without a leader are normal, between two leads.",
            "",
            "With --watch: print the present leader, then each newer one, until stopped. In text mode 'nobody leads' and what is not"
                    + " certain go to standard error; in JSON each is a document on a line."
        },
        footer = {
            "%nExamples:",
            "  holdfast leader /services/indexer",
            "  curl http://$(holdfast leader /services/indexer)/status",
            "  holdfast leader /services/indexer --output json    # with its token",
            "  holdfast leader /services/indexer --watch",
            "%nExit status: 0 printed, 1 nobody leads or a bad path, 2 wrong usage, 3 cell unreachable; with --watch 128+n after a"
                    + " signal, 3 also when the session ended unheard, 5 when the cell ended it."
        })
public final class LeaderCommand extends CellCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Path of the election.")
    private String name;

    @Option(names = "--watch", description = "Go on with each newer leader, until stopped.")
    private boolean watch;

    /** What is to be said next, or thrown. */
    private final Handover<Runnable> told = new Handover<>();

    @Override
    protected void run(HoldfastClient client, Console console) {
        LeaderReport report =
                new LeaderReport(name, console, options().isJson(), options().isQuiet());
        if (watch) {
            follow(client, report);
            return;
        }
        Optional<Leader> leader = client.election(name).leader();
        if (leader.isPresent() || options().isJson()) {
            report.leader(leader);
        }
        if (leader.isEmpty()) {
            throw CliException.of(ExitStatus.REFUSED, "NO_LEADER", "nobody leads " + name);
        }
    }

    private void follow(HoldfastClient client, LeaderReport report) {
        try (told;
                Subscription following = client.election(name).observe(new Listener(report))) {
            Runnable first = told.take(options().callTimeout().toNanos());
            if (first == null) {
                throw CliException.of(
                        ExitStatus.UNREACHABLE,
                        "UNREACHABLE",
                        "no answer from a leader within "
                                + options().callTimeout().toMillis() + " ms");
            }
            for (Runnable next = first; next != null; next = told.take(Long.MAX_VALUE)) {
                next.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Listener implements WatchListener<Optional<Leader>> {
        private final LeaderReport report;

        Listener(LeaderReport report) {
            this.report = report;
        }

        @Override
        public void onState(Optional<Leader> state) {
            told.give(() -> report.leader(state));
        }

        @Override
        public void onUnsure(String reason) {
            told.give(() -> report.unsure(reason));
        }

        @Override
        public void onSure() {
            told.give(report::sure);
        }

        @Override
        public void onEnded(HoldfastException reason) {
            told.give(() -> {
                throw reason;
            });
        }
    }
}
