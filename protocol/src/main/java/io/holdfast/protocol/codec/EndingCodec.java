package io.holdfast.protocol.codec;

import io.holdfast.model.Ending;
import io.holdfast.model.FencingToken;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.proto.BeingEndedOutcome;
import io.holdfast.protocol.proto.BreakPlaceOperation;
import io.holdfast.protocol.proto.EndSessionOperation;
import io.holdfast.protocol.proto.EndingMessage;

/** What is about ending something from outside (R3.6), and its messages. */
final class EndingCodec {
    private EndingCodec() {}

    static EndingMessage encode(Ending ending) {
        EndingMessage.Builder message =
                EndingMessage.newBuilder().setSession(ending.session().value());
        if (ending instanceof Ending.OfPlace broken) {
            message.setPlace(broken.place().value()).setToken(broken.token().value());
        }
        return message.build();
    }

    static Ending decode(String frame, EndingMessage message) throws MalformedFrameException {
        SessionId session = new SessionId(message.getSession());
        return message.hasPlace()
                ? new Ending.OfPlace(
                        session,
                        Fields.path(frame + ".ending.place", message.getPlace()),
                        new FencingToken(message.getToken()))
                : new Ending.OfSession(session);
    }

    static BreakPlaceOperation encode(Operation.BreakPlace broken) {
        return BreakPlaceOperation.newBuilder()
                .setPlace(broken.place().value())
                .setToken(broken.token().value())
                .build();
    }

    static Operation.BreakPlace decode(BreakPlaceOperation message) throws MalformedFrameException {
        return new Operation.BreakPlace(
                Fields.path("break_place.place", message.getPlace()), new FencingToken(message.getToken()));
    }

    static EndSessionOperation encode(Operation.EndSession end) {
        return EndSessionOperation.newBuilder()
                .setSession(end.session().value())
                .build();
    }

    static Operation.EndSession decode(EndSessionOperation message) {
        return new Operation.EndSession(new SessionId(message.getSession()));
    }

    static BeingEndedOutcome encode(Outcome.BeingEnded ending) {
        BeingEndedOutcome.Builder message = BeingEndedOutcome.newBuilder()
                .setClientName(ending.clientName())
                .setAcknowledged(ending.acknowledged())
                .setWaitMillis(ending.waitMillis());
        if (ending.session() != null) {
            message.setSession(ending.session().value());
        }
        return message.build();
    }

    static Outcome.BeingEnded decode(BeingEndedOutcome message) {
        return new Outcome.BeingEnded(
                message.hasSession() ? new SessionId(message.getSession()) : null,
                message.getClientName(),
                message.getAcknowledged(),
                message.getWaitMillis());
    }
}
