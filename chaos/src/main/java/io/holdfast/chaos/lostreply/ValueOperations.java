package io.holdfast.chaos.lostreply;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.PutResult;
import io.holdfast.client.Value;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Create, put, compare-and-set and delete of a value. <b>Thread:</b> one. */
final class ValueOperations implements Operation {
    private static final byte[] BYTES = "value".getBytes(StandardCharsets.UTF_8);

    private final Kind kind;
    private final HoldfastClient client;
    private final String parent;
    private long number;
    private long versionBefore;
    private @Nullable PutResult result;

    enum Kind {
        CREATE,
        PUT,
        COMPARE_AND_SET,
        DELETE
    }

    /** @param client whose connections are cut */
    ValueOperations(Kind kind, HoldfastClient client) {
        this.kind = kind;
        this.client = client;
        this.parent = "/lostreply/" + kind;
    }

    @Override
    public String name() {
        return kind.name();
    }

    private String path() {
        return kind == Kind.CREATE ? parent + "/" + number : parent;
    }

    @Override
    public void prepare() {
        number++;
        if (kind != Kind.CREATE) {
            versionBefore = client.values().put(path(), BYTES).version();
        }
    }

    @Override
    public void act() {
        switch (kind) {
            case CREATE -> result = client.values().create(path(), BYTES);
            case PUT -> result = client.values().put(path(), BYTES);
            case COMPARE_AND_SET -> result = client.values().put(path(), BYTES, versionBefore);
            case DELETE -> client.values().delete(path());
        }
    }

    @Override
    public Optional<String> judge(HoldfastClient direct) {
        Optional<Value> found = direct.values().get(path());
        if (kind == Kind.DELETE) {
            return found.map(value -> "it is still there: " + value);
        }
        PutResult told = result;
        long expected = kind == Kind.CREATE ? 0 : versionBefore + 1;
        boolean right = told != null
                && told.version() == expected
                && found.isPresent()
                && found.get().version() == expected
                && found.get().modifyRevision() == told.revision();
        return right
                ? Optional.empty()
                : Optional.of("version " + expected + " was due, " + told + " was told, and there is " + found);
    }

    @Override
    public void close() {
        client.close();
    }
}
