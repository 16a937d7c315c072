package io.holdfast.chaos.contenders;

import io.holdfast.chaos.history.HistoryWriter;
import io.holdfast.client.Election;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Leadership;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A client process with several sessions, each with several candidates for one election. Whoever leads writes that down, looks
 * twice whether it does, and resigns. Ends when its input ends.
 *
 * <p>Arguments: endpoints, the election's path, sessions, candidates in all, the file for the history.
 */
public final class CandidatesMain {
    /** An answer of the cell may take so long while thousands ask at once; leading is waited for without bound. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HistoryWriter history;

    private CandidatesMain(HistoryWriter history) {
        this.history = history;
    }

    public static void main(String[] args) throws IOException {
        CandidatesMain candidates = new CandidatesMain(new HistoryWriter(Path.of(args[4])));
        List<HoldfastClient> clients = new ArrayList<>();
        int sessions = Integer.parseInt(args[2]);
        int count = Integer.parseInt(args[3]);
        for (int i = 0; i < sessions; i++) {
            clients.add(HoldfastClient.builder()
                    .withoutCache()
                    .endpoints(args[0])
                    .clientName("candidates-" + i)
                    .callTimeout(PATIENCE)
                    .build());
        }
        for (int i = 0; i < count; i++) {
            candidates.campaign(clients.get(i % sessions).election(args[1]), "candidate-" + i);
        }
        while (System.in.read() >= 0) {
            // nothing is said; the end is the message
        }
        clients.parallelStream().forEach(HoldfastClient::close);
        System.exit(0);
    }

    private void campaign(Election election, String value) {
        long invoked = System.nanoTime();
        var unused = election.campaignAsync(value).whenComplete((lead, failure) -> {
            if (failure == null) {
                lead(election.path(), lead, invoked);
            } else {
                history.unexpected(value + ": " + failure);
            }
        });
    }

    private void lead(String path, Leadership lead, long invoked) {
        long token = lead.token().value();
        history.granted(path, token, false, invoked);
        look(path, lead, token);
        look(path, lead, token);
        var unused = lead.resignAsync().whenComplete((resigned, failure) -> {
            if (failure != null) {
                history.unexpected("resigning " + token + ": " + failure);
            }
        });
    }

    private void look(String path, Leadership lead, long token) {
        long before = System.nanoTime();
        if (lead.isLeader()) {
            history.held(path, token, false, before, System.nanoTime());
        }
    }
}
