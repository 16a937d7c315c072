package io.holdfast.chaos.load;

import io.holdfast.chaos.history.HistoryWriter;
import io.holdfast.client.BadVersionException;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.RefusedException;
import io.holdfast.client.Value;
import io.holdfast.client.Values;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Operation;
import io.holdfast.simulation.check.RegisterOp;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** Reads, writes, compares-and-sets and deletes values that all processes share (N7, oracle O2). */
final class RegisterWorker extends Worker {
    private final Values values;
    private final LoadConfig config;
    private final Map<String, Long> versions = new HashMap<>();
    private long nextValue;

    /** @param firstValue values of this worker are unique in the run */
    RegisterWorker(
            HoldfastClient client, LoadConfig config, HistoryWriter history, SplittableRandom random, long firstValue) {
        super(history, random);
        this.values = client.values();
        this.config = config;
        this.nextValue = firstValue;
    }

    @Override
    void once() {
        String key = Registers.key(config.startNanos(), random.nextInt(Registers.keys()));
        int kind = random.nextInt(20);
        if (kind < 8) {
            get(key);
        } else if (kind < 12) {
            put(key, Operation.ANY_VERSION);
        } else if (kind < 17) {
            put(key, versions.getOrDefault(key, Operation.MUST_NOT_EXIST));
        } else if (kind < 19) {
            put(key, Operation.MUST_NOT_EXIST);
        } else {
            delete(key);
        }
        pause(between(5, 60));
    }

    private void get(String key) {
        long id = history.invoked(key, RegisterOp.Kind.GET, 0, 0);
        call(id, () -> {
                    Optional<Value> read = values.get(key);
                    history.returned(
                            id,
                            read.map(Value::version).orElse(RegisterOp.ABSENT),
                            read.map(Registers::number).orElse(0L));
                    return read.map(Value::version).orElse(Operation.MUST_NOT_EXIST);
                })
                .ifPresent(version -> versions.put(key, version));
    }

    private void put(String key, long expectedVersion) {
        long value = nextValue++;
        long id = history.invoked(key, RegisterOp.Kind.PUT, expectedVersion, value);
        call(id, () -> {
                    byte[] bytes = Registers.bytes(value);
                    long version = expectedVersion == Operation.ANY_VERSION
                            ? values.put(key, bytes).version()
                            : values.put(key, bytes, expectedVersion).version();
                    history.returned(id, version, 0);
                    return version;
                })
                .ifPresent(version -> versions.put(key, version));
    }

    private void delete(String key) {
        long id = history.invoked(key, RegisterOp.Kind.DELETE, Operation.ANY_VERSION, 0);
        call(id, () -> {
                    values.delete(key);
                    history.returned(id, RegisterOp.DELETED, 0);
                    return Operation.MUST_NOT_EXIST;
                })
                .ifPresent(version -> versions.put(key, version));
    }

    /** The version that the key has now, as far as this worker knows. */
    private Optional<Long> call(long id, LongSupplier operation) {
        try {
            return Optional.of(operation.getAsLong());
        } catch (BadVersionException mismatch) {
            history.returned(id, RegisterOp.MISMATCH, 0);
            return Optional.empty();
        } catch (RefusedException refused) {
            if (refused.reason() == ErrorCode.NOT_FOUND) {
                history.returned(id, RegisterOp.MISMATCH, 0);
                return Optional.empty();
            }
            history.notDone(id);
            throw refused;
        } catch (HoldfastException failed) {
            if (failed.outcome() == HoldfastException.Outcome.DEFINITE_NOT_DONE) {
                history.notDone(id);
            }
            throw failed;
        }
    }
}
