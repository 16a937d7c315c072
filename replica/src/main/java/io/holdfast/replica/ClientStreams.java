package io.holdfast.replica;

import io.holdfast.model.ErrorCode;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.protocol.frame.ServerFrame;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The links of front ends, the client streams on them, and which stream speaks for which session.
 *
 * <p><b>Thread:</b> the loop.
 *
 * <p><b>Invariants:</b> (1) at most one stream speaks for a session; (2) while this leader leads, a session's attachment
 * number never goes back: a delayed hand-over cannot take a session from a later one (R6.4, C33).
 */
final class ClientStreams {
    /** Client streams of all front ends together. */
    static final int MAX_STREAMS = 100_000;
    /** Of one front end: as many clients as it lets in. */
    static final int MAX_STREAMS_PER_LINK = 10_000;

    private static final class Binding {
        long attachment = Long.MIN_VALUE;

        @Nullable
        ClientStream stream;
    }

    private final UpstreamSink sink;
    private final Map<Long, Map<Long, ClientStream>> links = new TreeMap<>();
    private final Map<SessionId, Binding> bindings = new TreeMap<>();
    private final HeldBytes heldBytes = new HeldBytes();
    private final int maxPerLink;
    private int count;

    ClientStreams(UpstreamSink sink) {
        this(sink, MAX_STREAMS_PER_LINK);
    }

    ClientStreams(UpstreamSink sink, int maxPerLink) {
        this.sink = sink;
        this.maxPerLink = maxPerLink;
    }

    /** The stream with this number, new if it was not known; null if there are too many, of this link or in all. */
    @Nullable
    ClientStream stream(long link, long number) {
        Map<Long, ClientStream> ofLink = links.computeIfAbsent(link, any -> new LinkedHashMap<>());
        ClientStream known = ofLink.get(number);
        if (known == null && count < MAX_STREAMS && ofLink.size() < maxPerLink) {
            known = new ClientStream(link, number, heldBytes);
            ofLink.put(number, known);
            count++;
        }
        return known;
    }

    /** The stream with this number, or null. */
    @Nullable
    ClientStream known(long link, long number) {
        Map<Long, ClientStream> ofLink = links.get(link);
        return ofLink == null ? null : ofLink.get(number);
    }

    void streamClosed(long link, long number) {
        Map<Long, ClientStream> ofLink = links.get(link);
        ClientStream known = ofLink == null ? null : ofLink.remove(number);
        if (known != null) {
            close(known);
        }
    }

    void linkClosed(long link) {
        Map<Long, ClientStream> ofLink = links.remove(link);
        if (ofLink != null) {
            ofLink.values().forEach(this::close);
        }
    }

    /** Says nothing about the session: its places and its attachment number stay. */
    private void close(ClientStream stream) {
        count--;
        Binding binding = bindingOf(stream.session());
        if (binding != null && binding.stream == stream) {
            binding.stream = null;
        }
        stream.close();
    }

    /** Whether a stream came on this link and the link is not gone. */
    boolean knowsLink(long link) {
        return links.containsKey(link);
    }

    List<Long> links() {
        return List.copyOf(links.keySet());
    }

    // ---- sessions

    private @Nullable Binding bindingOf(@Nullable SessionId session) {
        return session == null ? null : bindings.get(session);
    }

    /** The stream that speaks for a session, or null. */
    @Nullable
    ClientStream streamOf(SessionId session) {
        Binding binding = bindings.get(session);
        return binding == null ? null : binding.stream;
    }

    boolean isOlderAttachment(SessionId session, long attachment) {
        Binding binding = bindings.get(session);
        return binding != null && attachment < binding.attachment; // R6.4
    }

    /** Whether no stream has been bound under this number or a higher one: its client has left all others (R6.4). */
    boolean isLaterAttachment(SessionId session, long attachment) {
        Binding binding = bindings.get(session);
        return binding == null || attachment > binding.attachment;
    }

    /** Number of the attachment that was bound last. */
    long attachmentOf(SessionId session) {
        Binding binding = bindings.get(session);
        return binding == null ? Long.MIN_VALUE : binding.attachment;
    }

    /** Binds a stream to a session; the one bound before is told that it was replaced. */
    void bind(ClientStream stream, SessionId session, long attachment) {
        Binding former = bindingOf(stream.session());
        if (former != null && former.stream == stream) {
            former.stream = null;
        }
        Binding binding = bindings.computeIfAbsent(session, any -> new Binding());
        ClientStream before = binding.stream;
        if (before != null && before != stream) {
            before.replace();
            refuse(before, 0, ErrorCode.REPLACED, true, "a later attachment of session " + session + " took over");
        }
        binding.attachment = attachment;
        binding.stream = stream;
        stream.bind(session);
    }

    /** The session is over. */
    void ended(SessionId session, String reason) {
        Binding binding = bindings.remove(session);
        ClientStream stream = binding == null ? null : binding.stream;
        if (stream != null) {
            stream.unbind();
            send(stream, new ServerFrame.SessionEnded(session, reason));
        }
    }

    // ---- sending

    void send(ClientStream stream, ServerFrame frame) {
        if (!stream.isClosed()) {
            sink.send(stream.link(), new DownstreamFrame.Deliver(stream.stream(), frame));
        }
    }

    /** As for a stream, without knowing it. */
    void sendTo(long link, long number, ServerFrame frame) {
        sink.send(link, new DownstreamFrame.Deliver(number, frame));
    }

    /** For the front end itself. */
    void sendOn(long link, DownstreamFrame frame) {
        sink.send(link, frame);
    }

    /** The stream speaks for no session, or no longer. */
    void refuseUnbound(ClientStream stream, long id) {
        if (stream.isReplaced()) {
            refuse(stream, id, ErrorCode.REPLACED, true, "a later attachment of this session took over");
        } else {
            refuse(stream, id, ErrorCode.FORBIDDEN, true, "this stream speaks for no session: attach first");
        }
    }

    void refuse(ClientStream stream, long id, ErrorCode code, boolean definite, String message) {
        send(stream, new ServerFrame.Refused(id, code, definite, message));
    }

    /** Turns a front end away and ends its link. */
    static void refuseLink(UpstreamSink sink, long link, String reason) {
        sink.send(link, new DownstreamFrame.NotLeader(reason));
        sink.close(link);
    }
}
