package io.holdfast.simulation.check;

import io.holdfast.model.Answer;
import io.holdfast.model.NodePath;
import io.holdfast.simulation.world.Seen;
import io.holdfast.simulation.world.Violation;
import io.holdfast.simulation.world.World;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks what observers of an election are told (R4.7): never a leader that was overtaken before they asked, never one without a
 * session, never beside an older one that still believes that it leads, and each with its own value.
 */
public final class Leaders {
    private final World world;
    private final Holders holders;
    private final NodePath election;
    /** Highest token of a lead that had begun when a question was asked, by who asks and its call. */
    private final Map<String, Long> asked = new TreeMap<>();

    public Leaders(World world, Holders holders, NodePath election) {
        this.world = world;
        this.holders = holders;
        this.election = election;
    }

    /** A client asks who leads. */
    public void asks(int client, long callId) {
        asked.put(client + " " + callId, holders.highestToken(election.value()));
    }

    /** It got no answer, or died. */
    public void forgets(int client, long callId) {
        asked.remove(client + " " + callId);
    }

    /** It was answered with the first place. */
    public void answered(int client, long callId, Answer.Places places) {
        Long before = asked.remove(client + " " + callId);
        if (before == null) {
            return;
        }
        Answer.PlaceInfo first = places.places().stream()
                .filter(place -> place.lock().equals(election))
                .findFirst()
                .orElse(null);
        if (first == null || !first.held()) {
            world.coverage().seen(Seen.NO_LEADER_SEEN);
            return;
        }
        world.coverage().seen(Seen.LEADER_SEEN);
        long token = first.token().value();
        String leader = "client " + client + " was told of the leader with token " + token;
        if (token < before) {
            throw new Violation(
                    "leader (R4.7)", leader + " although one with token " + before + " had led before it asked");
        }
        if (first.session() == null) {
            throw new Violation("leader (R4.7)", leader + " whose session is over");
        }
        String value = new String(first.value(), StandardCharsets.UTF_8);
        if (!value.isEmpty() && !value.startsWith(first.clientName() + "#")) {
            throw new Violation("leader (R4.7)", leader + " of " + first.clientName() + " with the value " + value);
        }
        holders.requireNoneBelow(election.value(), token);
    }
}
