package io.holdfast.replica;

import io.holdfast.cell.Command;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import io.holdfast.protocol.frame.ServerFrame;
import org.jspecify.annotations.Nullable;

/**
 * Takes the frames of clients at a serving leader: what is wrong in itself is refused, the rest waits for the log or for a
 * leadership check.
 *
 * <p><b>Thread:</b> the loop. <b>Invariant:</b> nothing is answered with success here (R2.6).
 */
final class ClientRequests {
    private final ClientStreams streams;
    private final ProposalQueue proposals;
    private final ReadQueue reads;
    private final EndingDesk endings;
    private final LeaseDesk leases;
    private final WriteGate gate;
    private final CacheDesk caches;

    ClientRequests(
            ClientStreams streams,
            ProposalQueue proposals,
            ReadQueue reads,
            EndingDesk endings,
            LeaseDesk leases,
            WriteGate gate,
            CacheDesk caches) {
        this.streams = streams;
        this.proposals = proposals;
        this.reads = reads;
        this.endings = endings;
        this.leases = leases;
        this.gate = gate;
        this.caches = caches;
    }

    /** Checks a frame and puts it where it waits; an attach must not be unsettled on its stream. */
    void handle(ClientStream stream, ClientFrame frame) {
        if (frame instanceof ClientFrame.Open open) {
            open(stream, open);
        } else if (frame instanceof ClientFrame.Attach attach) {
            stream.setAttaching(true);
            reads.add(new ReadQueue.Attach(stream, attach));
        } else if (frame instanceof ClientFrame.KeepAlive keepAlive) {
            keepAlive(stream, keepAlive);
        } else if (frame instanceof ClientFrame.Request request) {
            request(stream, request);
        } else if (frame instanceof ClientFrame.OneShot oneShot && EndingDesk.isFor(oneShot.operation())) {
            reads.add(new ReadQueue.End(stream, oneShot.callId(), oneShot.operation())); // R2.6
        } else if (frame instanceof ClientFrame.OneShot oneShot) {
            Outcome objection = RequestChecks.objectionToOneShot(oneShot.operation());
            Command command = new Command.OneShot(oneShot.operation());
            Asker asker = new Asker(stream, Asker.Kind.CALL, oneShot.callId());
            propose(asker, command, objection, oneShot.operation(), oneShot.waitMillis());
        } else if (frame instanceof ClientFrame.Read read) {
            if (read.watch() != 0 && stream.session() == null) {
                streams.refuseUnbound(stream, read.callId());
            } else {
                reads.add(new ReadQueue.Read(
                        stream, read.callId(), read.query(), read.watch(), read.cacheable())); // R2.6
            }
        } else if (frame instanceof ClientFrame.Watch watch) {
            streams.refuse(
                    stream, watch.callId(), ErrorCode.INVALID, true, "a front end claims watches for its clients");
        } else if (frame instanceof ClientFrame.EndingAck ack) {
            endings.acknowledged(stream, ack.ending());
        } else if (frame instanceof ClientFrame.Lease lease) {
            leases.handle(stream, lease.callId(), lease.call());
        } else if (frame instanceof ClientFrame.CacheAck ack) {
            caches.acknowledged(stream, ack);
        }
    }

    private void open(ClientStream stream, ClientFrame.Open open) {
        String objection = RequestChecks.objectionTo(open);
        if (objection != null) {
            streams.refuse(stream, 0, ErrorCode.INVALID, true, objection);
            return;
        }
        Command command = new Command.OpenSession(open.secret(), open.leaseMillis(), open.clientName(), open.caching());
        int size = open.secret().length + 3 * open.clientName().length();
        proposals.add(command, size, new Asker(stream, Asker.Kind.OPEN, open.sendNumber()));
    }

    private void keepAlive(ClientStream stream, ClientFrame.KeepAlive keepAlive) {
        SessionId session = stream.session();
        if (session == null) {
            streams.refuseUnbound(stream, 0);
            return;
        }
        reads.add(new ReadQueue.KeepAlive(stream, session, keepAlive.sendNumber())); // R2.6
    }

    private void request(ClientStream stream, ClientFrame.Request request) {
        SessionId session = stream.session();
        if (session == null) {
            streams.refuseUnbound(stream, request.requestId());
            return;
        }
        Command command = new Command.Request(session, request.requestId(), request.watermark(), request.operation());
        Outcome objection = RequestChecks.objectionTo(request.operation());
        Asker asker = new Asker(stream, Asker.Kind.CALL, request.requestId());
        propose(asker, command, objection, request.operation(), request.waitMillis());
    }

    private void propose(
            Asker asker, Command command, @Nullable Outcome objection, Operation operation, long waitMillis) {
        if (objection != null) {
            streams.send(asker.stream(), new ServerFrame.Reply(asker.id(), objection));
        } else {
            gate.add(command, operation, asker, waitMillis); // R6.3
        }
    }

    /** Whether a frame asks for an entry of the log. */
    static boolean isCommand(ClientFrame frame) {
        return frame instanceof ClientFrame.Open
                || frame instanceof ClientFrame.Request
                || frame instanceof ClientFrame.OneShot
                || (frame instanceof ClientFrame.Lease lease && LeaseDesk.isCommand(lease.call()));
    }

    /** The id under which a frame is answered or refused; 0 if it has none. */
    static long idOf(ClientFrame frame) {
        if (frame instanceof ClientFrame.Request request) {
            return request.requestId();
        } else if (frame instanceof ClientFrame.OneShot oneShot) {
            return oneShot.callId();
        } else if (frame instanceof ClientFrame.Read read) {
            return read.callId();
        } else if (frame instanceof ClientFrame.Watch watch) {
            return watch.callId();
        } else if (frame instanceof ClientFrame.Lease lease) {
            return lease.callId();
        }
        return 0;
    }
}
