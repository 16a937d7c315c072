package io.holdfast.proxy.core;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Limits;
import io.holdfast.model.NodePath;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.model.WatchKind;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One watch at the leader for each path and kind that clients of this front end watch.
 *
 * <p><b>Thread:</b> the front end's.
 *
 * <p><b>Invariants:</b>
 *
 * <ol>
 *   <li>A client's watch is armed here only in the step in which the leader's answer to its own read or claim arrives: by that
 *       answer the leader had the shared watch, and what has fired since comes after it on the link (R5.1).
 *   <li>What the leader says is passed on in its order, so an event is before any reply that shows the newer state (R5.2).
 *   <li>A claim is judged by its own seen revision against the newest one that the leader named for the path (R5.3).
 *   <li>A shared watch is withdrawn only when no client has it and nothing that could arm it is on its way.
 *   <li>Nothing outlives the link; a client's part does not outlive the binding of its stream.
 * </ol>
 *
 * <p><b>Source:</b> R5.1–R5.4, ADR 0020.
 */
final class SharedWatches {
    private static final int MAX_FIRED_PER_FRAME = 10_000;

    /** Answers go to a client at once, in the order of the calls. */
    interface Output {
        void toClient(ClientStream client, ServerFrame frame);
    }

    /** A client's watch. */
    private record Member(long stream, long watch) {}

    /** A watch at the leader. */
    private static final class Shared {
        final SharedClaims.Target target;
        final long number;
        /** In the order in which they were armed. */
        final Map<Member, ClientStream> members = new LinkedHashMap<>();
        /** Reads and claims on their way that may arm it. */
        int asked;

        boolean leaderMayHave;

        Shared(SharedClaims.Target target, long number) {
            this.target = target;
            this.number = number;
        }
    }

    /** A read with a watch that is not answered. */
    private static final class Asked {
        final long watch;
        final Shared shared;
        /** Withdrawn, or its session no longer speaks here. */
        boolean unwanted;

        Asked(long watch, Shared shared) {
            this.watch = watch;
            this.shared = shared;
        }
    }

    /** What one stream has. */
    private static final class Own {
        final Map<Long, Shared> armed = new TreeMap<>();
        /** By call id. */
        final Map<Long, Asked> reads = new TreeMap<>();

        SharedClaims.@Nullable Page page;
    }

    private final Output out;
    private final SharedClaims claims;
    private final WatchDrops drops;
    private final Map<Long, Own> streams = new TreeMap<>();
    private final Map<SharedClaims.Target, Shared> byTarget = new LinkedHashMap<>();
    private final Map<Long, Shared> byNumber = new TreeMap<>();
    private long lastNumber;

    SharedWatches(Output out, WatchDrops.Leader leader) {
        this.out = out;
        this.drops = new WatchDrops(leader);
        this.claims = new SharedClaims(leader);
    }

    // ---- from clients

    /** What is to be forwarded for a read with a watch; null if it is refused. */
    @Nullable
    ClientFrame asks(ClientStream client, ClientFrame.Read read) {
        if (!(read.query() instanceof Query.Watchable watched)) {
            return read; // the leader watches nothing for it
        }
        Own own = own(client);
        if (own.reads.containsKey(read.callId())) { // its first answer would be taken for that of the second
            refuse(client, read.callId(), ErrorCode.INVALID, "call " + read.callId() + " is not answered yet");
            return null;
        }
        if (own.armed.size() + own.reads.size() >= Limits.MAX_WATCHES_PER_SESSION) {
            out.toClient(
                    client, new ServerFrame.ReadReply(read.callId(), new Answer.Failed(ErrorCode.LIMIT, tooMany())));
            return null;
        }
        Shared shared = shared(watched.watchKind(), watched.path());
        shared.asked++;
        own.reads.put(read.callId(), new Asked(read.watch(), shared));
        return new ClientFrame.Read(read.callId(), read.query(), shared.number);
    }

    private static String tooMany() {
        return "a session has at most " + Limits.MAX_WATCHES_PER_SESSION + " watches; no more fit";
    }

    /** A page of claims and of what is no longer wanted. */
    void claims(ClientStream client, ClientFrame.Watch frame) {
        Own own = own(client);
        if (client.session() == null) {
            refuse(client, frame.callId(), ErrorCode.FORBIDDEN, "this stream speaks for no session: attach first");
            return;
        }
        if (own.page != null) { // R8.4
            refuse(client, frame.callId(), ErrorCode.BUSY, "one page of watches at a time: another one waits");
            return;
        }
        frame.dropped().forEach(watch -> drop(client, own, watch));
        if (own.armed.size() + own.reads.size() + frame.claims().size() > Limits.MAX_WATCHES_PER_SESSION) {
            refuse(client, frame.callId(), ErrorCode.LIMIT, tooMany());
        } else {
            SharedClaims.Page page =
                    new SharedClaims.Page(client, frame.callId(), frame.claims().size());
            own.page = page;
            for (ClientFrame.WatchClaim claim : frame.claims()) {
                drop(client, own, claim.watch());
                Shared shared = shared(claim.kind(), claim.path());
                shared.asked++;
                claims.add(shared.number, shared.target, page, claim);
            }
            claims.begin(page);
        }
        drops.flush();
    }

    private void refuse(ClientStream client, long callId, ErrorCode code, String why) {
        out.toClient(client, new ServerFrame.Refused(callId, code, true, why));
    }

    private void drop(ClientStream client, Own own, long watch) {
        Shared shared = own.armed.remove(watch);
        if (shared != null) {
            shared.members.remove(new Member(client.number(), watch));
            release(shared);
            return;
        }
        for (Asked asked : own.reads.values()) {
            asked.unwanted |= asked.watch == watch; // it must not overtake its read
        }
    }

    /** The stream speaks for its session no longer: what it watched goes (R3.2, R5.3). */
    void unbound(ClientStream client) {
        Own own = streams.get(client.number());
        if (own == null) {
            return;
        }
        own.armed.forEach((watch, shared) -> {
            shared.members.remove(new Member(client.number(), watch));
            release(shared);
        });
        own.armed.clear();
        own.reads.values().forEach(asked -> asked.unwanted = true);
        if (own.page != null) {
            dies(own.page);
            own.page = null;
            client.notAnswered();
        }
        drops.flush();
    }

    /** A page is over: of what it claims only what is on its way goes on. */
    private void dies(SharedClaims.Page page) {
        page.dead = true;
        claims.withdraw(page).forEach((number, count) -> {
            Shared shared = byNumber.get(number);
            if (shared != null) {
                shared.asked -= count;
                release(shared);
            }
        });
    }

    /** The stream is gone, and the leader was told: it answers none of its reads any more, but may have answered some. */
    void closed(ClientStream client) {
        unbound(client);
        Own own = streams.remove(client.number());
        if (own != null) {
            for (Asked asked : own.reads.values()) {
                asked.shared.leaderMayHave = true;
                settled(asked.shared);
            }
        }
        drops.flush();
    }

    // ---- from the leader

    /** A frame has been passed on to a client. */
    void delivered(ClientStream client, ServerFrame frame) {
        if (frame instanceof ServerFrame.SessionEnded
                || (frame instanceof ServerFrame.Refused refused && refused.code() == ErrorCode.REPLACED)) {
            unbound(client);
        }
        Own own = streams.get(client.number());
        if (own == null) {
            return;
        }
        if (frame instanceof ServerFrame.ReadReply reply) {
            Asked asked = own.reads.remove(reply.callId());
            if (asked != null) {
                answered(client, own, asked, reply.answer());
            }
        } else if (frame instanceof ServerFrame.Refused refused && refused.id() != 0) {
            Asked asked = own.reads.remove(refused.id());
            if (asked != null) {
                asked.shared.leaderMayHave = true; // what was answered may be refused on its way, for want of room
                settled(asked.shared);
            }
        }
        drops.flush();
    }

    /** By this answer the leader had the shared watch, unless the answer says nothing of the path. */
    private void answered(ClientStream client, Own own, Asked asked, Answer answer) {
        asked.shared.leaderMayHave = true;
        boolean tells = !(answer instanceof Answer.Failed failed) || failed.code() == ErrorCode.NOT_FOUND;
        if (tells && !asked.unwanted) {
            arm(client, own, asked.watch, asked.shared);
        }
        settled(asked.shared);
    }

    private void arm(ClientStream client, Own own, long watch, Shared shared) {
        Member member = new Member(client.number(), watch);
        Shared before = own.armed.put(watch, shared);
        if (before != null && before != shared) {
            before.members.remove(member);
            release(before);
        }
        shared.members.put(member, client);
    }

    /** Shared watches have fired; the leader has them no longer. */
    void fired(DownstreamFrame.WatchesFired event) {
        Map<ClientStream, List<Long>> fired = new LinkedHashMap<>();
        for (long number : event.watches()) {
            Shared shared = byNumber.get(number);
            if (shared == null) {
                continue; // withdrawn; this was on its way
            }
            shared.leaderMayHave = false;
            shared.members.forEach((member, client) -> {
                own(client).armed.remove(member.watch());
                fired.computeIfAbsent(client, any -> new ArrayList<>()).add(member.watch());
            });
            shared.members.clear();
            release(shared);
        }
        fired.forEach((client, watches) -> tell(client, watches, event.revision()));
    }

    private void tell(ClientStream client, List<Long> fired, long revision) {
        SessionId session = client.session();
        for (int from = 0; session != null && from < fired.size(); from += MAX_FIRED_PER_FRAME) {
            List<Long> part = fired.subList(from, Math.min(from + MAX_FIRED_PER_FRAME, fired.size()));
            out.toClient(client, new ServerFrame.WatchesFired(session, revision, part));
        }
    }

    /** The leader has all that was claimed, and says how new each is: events first, then the answers to whole pages. */
    void claimed(DownstreamFrame.WatchesClaimed answer) {
        SharedClaims.Round round = claims.answered(answer.page());
        if (round == null) {
            return;
        }
        Map<ClientStream, List<Long>> fired = new LinkedHashMap<>();
        for (int i = 0; i < round.gathered().size(); i++) {
            SharedClaims.Gathered gathered = round.gathered().get(i);
            long newest = i < answer.newest().size() ? answer.newest().get(i) : Long.MAX_VALUE;
            Shared shared = byNumber.get(gathered.number());
            if (shared != null) {
                shared.leaderMayHave = true;
                judge(gathered, shared, newest, fired);
            }
        }
        fired.forEach((client, watches) -> tell(client, watches, answer.revision()));
        for (SharedClaims.Page page : round.complete()) {
            own(page.client).page = null;
            out.toClient(page.client, new ServerFrame.Watched(page.callId, answer.revision()));
        }
        claims.flush();
        drops.flush();
    }

    private void judge(
            SharedClaims.Gathered gathered, Shared shared, long newest, Map<ClientStream, List<Long>> fired) {
        for (SharedClaims.Claim claim : gathered.claims()) {
            shared.asked--;
            ClientStream client = claim.page().client;
            if (claim.page().dead) {
                continue;
            }
            if (claim.seenRevision() < newest) { // R5.3
                fired.computeIfAbsent(client, any -> new ArrayList<>()).add(claim.watch());
            } else {
                arm(client, own(client), claim.watch(), shared);
            }
        }
        release(shared);
    }

    /** Nothing of a round was registered. */
    void refused(DownstreamFrame.WatchClaimsRefused answer) {
        SharedClaims.Round round = claims.answered(answer.page());
        if (round == null) {
            return;
        }
        for (SharedClaims.Page page : round.pages()) {
            own(page.client).page = null;
            dies(page);
            refuse(page.client, page.callId, answer.code(), answer.reason());
        }
        for (SharedClaims.Gathered gathered : round.gathered()) {
            Shared shared = byNumber.get(gathered.number());
            if (shared != null) {
                shared.asked -= gathered.claims().size();
                release(shared);
            }
        }
        claims.flush();
        drops.flush();
    }

    void linkEnded() {
        streams.clear();
        byTarget.clear();
        byNumber.clear();
        claims.clear();
        drops.clear();
    }

    // ---- shared watches

    private Own own(ClientStream client) {
        return streams.computeIfAbsent(client.number(), any -> new Own());
    }

    private Shared shared(WatchKind kind, NodePath path) {
        return byTarget.computeIfAbsent(new SharedClaims.Target(kind, path), target -> {
            Shared made = new Shared(target, ++lastNumber);
            byNumber.put(made.number, made);
            return made;
        });
    }

    private void settled(Shared shared) {
        shared.asked--;
        release(shared);
    }

    /** Withdraws it if nobody needs it; another one for the same path will have another number. */
    private void release(Shared shared) {
        if (shared.asked > 0 || !shared.members.isEmpty() || byNumber.remove(shared.number) == null) {
            return;
        }
        byTarget.remove(shared.target);
        if (shared.leaderMayHave) {
            drops.add(shared.number);
        }
    }

    /** At the leader, as far as is known here. */
    int size() {
        return byNumber.size();
    }
}
