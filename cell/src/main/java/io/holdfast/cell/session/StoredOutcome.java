package io.holdfast.cell.session;

import io.holdfast.cell.base.Hash64;
import io.holdfast.cell.base.HeapSize;
import io.holdfast.cell.base.Invariants;
import io.holdfast.cell.format.Decoder;
import io.holdfast.cell.format.Encoder;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.NodePath;
import io.holdfast.model.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An outcome as it is kept for a repeated request (R2.7): its size, its digest, its place in the snapshot format. Whether
 * a place is held or present is not kept: that is judged when answering.
 */
final class StoredOutcome {
    private static final int WRITTEN = 1;
    private static final int CREATED = 2;
    private static final int DELETED = 3;
    private static final int PLACED = 4;
    private static final int NOT_ACQUIRED = 5;
    private static final int RELEASED = 6;
    private static final int CANCELLED = 7;
    private static final int FAILED = 8;
    private static final int BATCHED = 9;
    private static final int BATCH_REFUSED = 10;

    // Measured, see HeapCostTest: an entry in the map, its key, the outcome, a token.
    private static final long RESULT_BYTES = 144;
    // One version of a batch: a boxed number and its place in the list.
    private static final long VERSION_BYTES = 32;

    private StoredOutcome() {}

    /**
     * The fields that describe any outcome; those that it does not use are 0, false or empty.
     *
     * @param versions of a batch's items; others have no such field in the format
     */
    private record Fields(int tag, String text, long first, long second, boolean flag, List<Long> versions) {
        Fields(int tag, String text, long first, long second, boolean flag) {
            this(tag, text, first, second, flag, List.of());
        }
    }

    private static Fields fieldsOf(Outcome outcome) {
        if (outcome instanceof Outcome.Written o) {
            return new Fields(WRITTEN, o.path().value(), o.version(), o.revision(), o.created());
        } else if (outcome instanceof Outcome.Created o) {
            return new Fields(CREATED, o.path().value(), o.revision(), 0, false);
        } else if (outcome instanceof Outcome.Deleted o) {
            return new Fields(DELETED, o.path().value(), o.revision(), 0, false);
        } else if (outcome instanceof Outcome.Placed o) {
            return new Fields(PLACED, o.place().value(), o.token().value(), 0, false);
        } else if (outcome instanceof Outcome.NotAcquired o) {
            return new Fields(NOT_ACQUIRED, o.lock().value(), o.blocker().value(), 0, false);
        } else if (outcome instanceof Outcome.Released o) {
            return new Fields(RELEASED, "", 0, 0, o.removed());
        } else if (outcome instanceof Outcome.Cancelled o) {
            return new Fields(CANCELLED, textOf(o.removed()), 0, 0, false);
        } else if (outcome instanceof Outcome.Batched o) {
            return new Fields(BATCHED, "", o.revision(), 0, false, o.versions());
        } else if (outcome instanceof Outcome.BatchRefused o) {
            return new Fields(BATCH_REFUSED, o.message(), o.code().code(), o.item() + 1L, false);
        } else if (outcome instanceof Outcome.Failed o) {
            return new Fields(FAILED, o.message(), o.code().code(), 0, false);
        }
        Invariants.check(false, "opening and closing a session leave no result");
        throw new AssertionError();
    }

    private static String textOf(@Nullable NodePath path) {
        return path == null ? "" : path.value();
    }

    static long cost(Outcome outcome) {
        Fields fields = fieldsOf(outcome);
        return RESULT_BYTES
                + HeapSize.of(fields.text())
                + VERSION_BYTES * fields.versions().size();
    }

    static Hash64 hash(Hash64 hash, Outcome outcome) {
        Fields fields = fieldsOf(outcome);
        Hash64 all = hash.add(fields.tag())
                .add(fields.text())
                .add(fields.first())
                .add(fields.second())
                .add(fields.flag());
        for (long version : fields.versions()) {
            all = all.add(version);
        }
        return all;
    }

    static void encode(Encoder out, Outcome outcome) {
        Fields fields = fieldsOf(outcome);
        out.octet(fields.tag())
                .text(fields.text())
                .number(fields.first())
                .number(fields.second())
                .flag(fields.flag());
        if (fields.tag() == BATCHED) {
            out.number(fields.versions().size());
            fields.versions().forEach(out::signed);
        }
    }

    static Outcome decode(Decoder in) {
        Fields fields = new Fields(in.octet(), in.text(), in.number(), in.number(), in.flag());
        return switch (fields.tag()) {
            case RELEASED -> new Outcome.Released(fields.flag());
            case CANCELLED -> new Outcome.Cancelled(fields.text().isEmpty() ? null : path(in, fields));
            case FAILED -> new Outcome.Failed(ErrorCode.of((int) fields.first()), fields.text());
            case WRITTEN -> new Outcome.Written(path(in, fields), fields.first(), fields.second(), fields.flag());
            case CREATED -> new Outcome.Created(path(in, fields), fields.first());
            case DELETED -> new Outcome.Deleted(path(in, fields), fields.first());
            case PLACED -> new Outcome.Placed(path(in, fields), new FencingToken(fields.first()), false, true);
            case BATCHED -> new Outcome.Batched(fields.first(), versions(in));
            case BATCH_REFUSED ->
                new Outcome.BatchRefused((int) fields.second() - 1, ErrorCode.of((int) fields.first()), fields.text());
            case NOT_ACQUIRED -> new Outcome.NotAcquired(path(in, fields), new FencingToken(fields.first()));
            default -> throw in.malformed("an unknown kind of outcome");
        };
    }

    private static List<Long> versions(Decoder in) {
        int count = in.count();
        List<Long> versions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            versions.add(in.signed());
        }
        return versions;
    }

    private static NodePath path(Decoder in, Fields fields) {
        in.require(NodePath.problemWith(fields.text()) == null, "a path that cannot be");
        return new NodePath(fields.text());
    }
}
