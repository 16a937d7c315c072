package io.holdfast.cell;

import io.holdfast.cell.format.Decoder;
import io.holdfast.cell.format.Encoder;
import io.holdfast.cell.format.MalformedDataException;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LeaseCall;
import io.holdfast.model.LeaseName;
import io.holdfast.model.LeaseOwner;

/** What follows the code of a command about a leased lock. */
final class LeaseCommandCodec {
    private LeaseCommandCodec() {}

    static void encode(Encoder out, LeaseCall.Acquire call) {
        out.text(call.name().value()).text(call.owner().value());
        out.number(call.leaseMillis()).text(call.requestId());
    }

    static Command.AcquireLease acquire(Decoder in) {
        LeaseName name = in.leaseName();
        LeaseOwner owner = in.leaseOwner();
        try {
            return new Command.AcquireLease(new LeaseCall.Acquire(name, owner, in.number(), in.text()));
        } catch (IllegalArgumentException e) {
            throw new MalformedDataException("malformed data: " + e.getMessage(), e);
        }
    }

    static void encode(Encoder out, LeaseCall.Release call) {
        out.text(call.name().value()).text(call.owner().value());
        out.number(call.token().value());
    }

    static Command.ReleaseLease release(Decoder in) {
        return new Command.ReleaseLease(
                new LeaseCall.Release(in.leaseName(), in.leaseOwner(), new FencingToken(in.number())));
    }

    static void encode(Encoder out, Command.ExpireLease expire) {
        out.text(expire.name().value()).number(expire.token().value()).number(expire.term());
    }

    static Command.ExpireLease expire(Decoder in) {
        return new Command.ExpireLease(in.leaseName(), new FencingToken(in.number()), in.number());
    }
}
