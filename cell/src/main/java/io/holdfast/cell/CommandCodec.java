package io.holdfast.cell;

import io.holdfast.cell.format.Decoder;
import io.holdfast.cell.format.Encoder;
import io.holdfast.cell.format.MalformedDataException;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.SessionId;
import java.util.ArrayList;
import java.util.List;

/**
 * The format of the log's entries. The first byte is the format's version; the codes below never change their meaning.
 *
 * <p><b>Thread:</b> any.
 */
public final class CommandCodec {
    /** Written; the only version read so far. */
    static final int VERSION = 1;

    private static final int REQUEST = 1;
    private static final int ONE_SHOT = 2;
    private static final int OPEN_SESSION = 3;
    private static final int EXPIRE_SESSION = 4;
    private static final int END_DELAY = 5;
    private static final int BREAK_PLACE = 6;
    private static final int ACQUIRE_LEASE = 80;
    private static final int RELEASE_LEASE = 81;
    private static final int EXPIRE_LEASE = 82;

    private static final int PUT = 1;
    private static final int CREATE_EPHEMERAL = 2;
    private static final int DELETE = 3;
    private static final int ACQUIRE = 4;
    private static final int RELEASE = 5;
    private static final int CANCEL = 6;
    private static final int CLOSE_SESSION = 7;
    private static final int BATCH = 8;

    private static final int CHECK = 4; // beside PUT and DELETE, of the items of a batch
    private static final int ASKED_BREAK = 9;
    private static final int ASKED_END_OF_SESSION = 10;

    private CommandCodec() {}

    public static byte[] encode(CommandBatch batch) {
        Encoder out = new Encoder();
        out.octet(VERSION).number(batch.epoch()).signed(batch.wallMillis()).text(batch.principal());
        out.signed(batch.stateBytes());
        out.number(batch.commands().size());
        for (Command command : batch.commands()) {
            encode(out, command);
        }
        return out.toByteArray();
    }

    /**
     * @throws MalformedDataException if the bytes are no entry, or one of a version unknown here
     */
    public static CommandBatch decode(byte[] entry) {
        Decoder in = new Decoder(entry);
        int version = in.octet();
        if (version != VERSION) {
            throw new MalformedDataException(
                    "log entry of format version " + version + ", this software reads " + VERSION);
        }
        long epoch = in.number();
        long wallMillis = in.signed();
        String principal = in.text();
        long stateBytes = in.signed();
        int count = in.count();
        List<Command> commands = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            commands.add(decodeCommand(in));
        }
        in.requireEnd();
        return new CommandBatch(epoch, wallMillis, principal, stateBytes, commands);
    }

    private static void encode(Encoder out, Command command) {
        if (command instanceof Command.Request c) {
            out.octet(REQUEST).number(c.session().value()).signed(c.requestId()).signed(c.watermark());
            encode(out, c.operation());
        } else if (command instanceof Command.OneShot c) {
            encode(out.octet(ONE_SHOT), c.operation());
        } else if (command instanceof Command.OpenSession c) {
            out.octet(OPEN_SESSION).bytes(c.secret()).signed(c.leaseMillis());
            out.text(c.clientName()).flag(c.caching());
        } else if (command instanceof Command.ExpireSession c) {
            out.octet(EXPIRE_SESSION).number(c.session().value()).number(c.term());
        } else if (command instanceof Command.EndDelay c) {
            out.octet(END_DELAY).text(c.place().value()).number(c.token().value());
            out.number(c.term());
        } else if (command instanceof Command.BreakPlace c) {
            out.octet(BREAK_PLACE).text(c.place().value()).number(c.token().value());
            out.number(c.term());
        } else if (command instanceof Command.AcquireLease c) {
            LeaseCommandCodec.encode(out.octet(ACQUIRE_LEASE), c.call());
        } else if (command instanceof Command.ReleaseLease c) {
            LeaseCommandCodec.encode(out.octet(RELEASE_LEASE), c.call());
        } else if (command instanceof Command.ExpireLease c) {
            LeaseCommandCodec.encode(out.octet(EXPIRE_LEASE), c);
        } else {
            throw new AssertionError("a command without a code: " + command.getClass());
        }
    }

    private static Command decodeCommand(Decoder in) {
        int code = in.octet();
        return switch (code) {
            case REQUEST -> new Command.Request(session(in), in.signed(), in.signed(), decodeOperation(in));
            case ONE_SHOT -> new Command.OneShot(decodeOperation(in));
            case OPEN_SESSION -> new Command.OpenSession(in.bytes(), in.signed(), in.text(), in.flag());
            case EXPIRE_SESSION -> new Command.ExpireSession(session(in), in.number());
            case END_DELAY -> new Command.EndDelay(in.path(), token(in), in.number());
            case BREAK_PLACE -> new Command.BreakPlace(in.path(), token(in), in.number());
            case ACQUIRE_LEASE -> LeaseCommandCodec.acquire(in);
            case RELEASE_LEASE -> LeaseCommandCodec.release(in);
            case EXPIRE_LEASE -> LeaseCommandCodec.expire(in);
            default -> throw in.malformed("an unknown command " + code);
        };
    }

    private static void encode(Encoder out, Operation operation) {
        if (operation instanceof Operation.Put o) {
            path(out.octet(PUT), o.path()).bytes(o.value()).signed(o.expectedVersion());
        } else if (operation instanceof Operation.CreateEphemeral o) {
            path(out.octet(CREATE_EPHEMERAL), o.path()).bytes(o.value()).flag(o.sequential());
        } else if (operation instanceof Operation.Delete o) {
            path(out.octet(DELETE), o.path()).signed(o.expectedVersion());
        } else if (operation instanceof Operation.Acquire o) {
            path(out.octet(ACQUIRE), o.lock()).octet(o.mode().code()).flag(o.onlyIfFree());
            out.signed(o.lockDelayMillis()).bytes(o.value());
            if (o.mode() == LockMode.PERMIT) {
                out.signed(o.permits()); // ADR 0011: no entry written before has it
            }
        } else if (operation instanceof Operation.Release o) {
            path(out.octet(RELEASE), o.place()).number(o.token().value());
        } else if (operation instanceof Operation.Cancel o) {
            out.octet(CANCEL).signed(o.requestId());
        } else if (operation instanceof Operation.CloseSession) {
            out.octet(CLOSE_SESSION);
        } else if (operation instanceof Operation.Batch o) {
            out.octet(BATCH).number(o.items().size());
            o.items().forEach(item -> encode(out, item));
        } else if (operation instanceof Operation.BreakPlace o) {
            path(out.octet(ASKED_BREAK), o.place()).number(o.token().value());
        } else if (operation instanceof Operation.EndSession o) {
            out.octet(ASKED_END_OF_SESSION).number(o.session().value());
        } else {
            throw new AssertionError("an operation without a code: " + operation.getClass());
        }
    }

    private static Operation decodeOperation(Decoder in) {
        int code = in.octet();
        return switch (code) {
            case PUT -> new Operation.Put(in.path(), in.bytes(), in.signed());
            case CREATE_EPHEMERAL -> new Operation.CreateEphemeral(in.path(), in.bytes(), in.flag());
            case DELETE -> new Operation.Delete(in.path(), in.signed());
            case ACQUIRE -> acquire(in);
            case RELEASE -> new Operation.Release(in.path(), token(in));
            case CANCEL -> new Operation.Cancel(in.signed());
            case CLOSE_SESSION -> new Operation.CloseSession();
            case BATCH -> decodeBatch(in);
            case ASKED_BREAK -> new Operation.BreakPlace(in.path(), token(in));
            case ASKED_END_OF_SESSION -> new Operation.EndSession(session(in));
            default -> throw in.malformed("an unknown operation " + code);
        };
    }

    private static Operation acquire(Decoder in) {
        Operation.Acquire lock = new Operation.Acquire(in.path(), mode(in), in.flag(), in.signed(), in.bytes());
        if (lock.mode() != LockMode.PERMIT) {
            return lock;
        }
        long permits = in.signed();
        in.require(permits == (int) permits, "a number of permits out of range");
        return new Operation.Acquire(
                lock.lock(), lock.mode(), lock.onlyIfFree(), lock.lockDelayMillis(), lock.value(), (int) permits);
    }

    private static void encode(Encoder out, Operation.BatchItem item) {
        if (item instanceof Operation.Put o) {
            encode(out, (Operation) o);
        } else if (item instanceof Operation.Delete o) {
            encode(out, (Operation) o);
        } else {
            path(out.octet(CHECK), item.path()).signed(item.expectedVersion());
        }
    }

    private static Operation.Batch decodeBatch(Decoder in) {
        int count = in.count();
        List<Operation.BatchItem> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int code = in.octet();
            items.add(
                    switch (code) {
                        case PUT -> new Operation.Put(in.path(), in.bytes(), in.signed());
                        case DELETE -> new Operation.Delete(in.path(), in.signed());
                        case CHECK -> new Operation.Check(in.path(), in.signed());
                        default -> throw in.malformed("an unknown item of a batch " + code);
                    });
        }
        return new Operation.Batch(items);
    }

    private static Encoder path(Encoder out, NodePath path) {
        return out.text(path.value());
    }

    private static SessionId session(Decoder in) {
        return new SessionId(in.number());
    }

    private static FencingToken token(Decoder in) {
        return new FencingToken(in.number());
    }

    private static LockMode mode(Decoder in) {
        int code = in.octet();
        in.require(code <= LockMode.PERMIT.code(), "an unknown lock mode");
        return LockMode.of(code);
    }
}
