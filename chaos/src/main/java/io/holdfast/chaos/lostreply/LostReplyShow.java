package io.holdfast.chaos.lostreply;

import io.holdfast.chaos.lostreply.CutRelay.Direction;
import io.holdfast.chaos.show.CellView;
import io.holdfast.chaos.show.ShowCell;
import io.holdfast.chaos.show.Verdict;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/**
 * Does each operation with the connection cut after 0, 1, 2, … bytes of its requests, then of its replies, until it is done before
 * the cut comes.
 *
 * <p><b>Thread:</b> one, and one for each operation.
 *
 * <p><b>Source:</b> R2.7, R3.1, R4.4; C73.
 */
final class LostReplyShow implements AutoCloseable {
    private static final Duration FORM = Duration.ofMinutes(2);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);
    /** It is over when so many positions in a row were beyond all that was sent: what else is on the line varies. */
    private static final int BEYOND = 3;
    /** More bytes than any operation needs, its connection included. */
    private static final int MOST_BYTES = 5_000;

    private final LostReplyOptions options;
    private final Verdict verdict;
    private final ShowCell cell;

    LostReplyShow(LostReplyOptions options, Verdict verdict) throws IOException {
        this.options = options;
        this.verdict = verdict;
        ShowCell.Ground ground = ShowCell.Ground.prepare(options.directory(), options.sources(), options.plant());
        this.cell = ShowCell.onLoopback(ground, 1, options.replicas());
    }

    void run() throws InterruptedException {
        cell.ensureRunning();
        try (CellView view = new CellView(cell.endpoints())) {
            if (!view.awaitWrite(FORM)) {
                throw new IllegalStateException("the cell did not serve in time; "
                        + cell.replicas().get(0).logTail());
            }
        }
        List<BiFunction<CutRelay, HoldfastClient, Operation>> operations = new ArrayList<>();
        operations.add((relay, direct) -> new OpenOperation(name -> client(relay.address(), name)));
        for (ValueOperations.Kind kind : ValueOperations.Kind.values()) {
            operations.add((relay, direct) -> new ValueOperations(kind, client(relay.address(), kind.name())));
        }
        for (LockOperations.Kind kind : LockOperations.Kind.values()) {
            operations.add((relay, direct) ->
                    new LockOperations(kind, client(relay.address(), kind.name()), client(cell.endpoints(), "other")));
        }
        runAll(operations);
    }

    private static HoldfastClient client(String endpoints, String name) {
        return HoldfastClient.builder()
                .withoutCache()
                .endpoints(endpoints)
                .clientName(name)
                .callTimeout(CALL_TIMEOUT)
                .build();
    }

    private void runAll(List<BiFunction<CutRelay, HoldfastClient, Operation>> operations) throws InterruptedException {
        ExecutorService lanes = Executors.newFixedThreadPool(options.parallel());
        try {
            List<Future<?>> running = new ArrayList<>();
            for (var operation : operations) {
                running.add(lanes.submit(() -> {
                    attack(operation);
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed.getCause());
        } finally {
            lanes.shutdownNow();
            lanes.awaitTermination(1, TimeUnit.MINUTES);
        }
    }

    private void attack(BiFunction<CutRelay, HoldfastClient, Operation> kind) throws InterruptedException {
        String replica = cell.replicas().get(0).name();
        try (CutRelay relay = new CutRelay("127.0.0.1", cell.port(replica));
                HoldfastClient direct = client(cell.endpoints(), "direct");
                Operation operation = kind.apply(relay, direct)) {
            for (Direction direction : Direction.values()) {
                int cuts = 0;
                int beyond = 0;
                int bytes = 0;
                for (; bytes < MOST_BYTES && beyond < BEYOND; bytes += options.stride()) {
                    boolean wasCut = once(operation, relay, direction, bytes, direct);
                    cuts += wasCut ? 1 : 0;
                    beyond = wasCut ? 0 : beyond + 1;
                }
                verdict.event(
                        "%s: cut %d times, after 0 to %d bytes of its %s",
                        operation.name(), cuts, bytes, direction == Direction.REQUEST ? "requests" : "replies");
                if (cuts == 0 || bytes >= MOST_BYTES) {
                    verdict.notShown("%s was cut %d times in %s: no verdict", operation.name(), cuts, direction);
                }
            }
        }
    }

    private boolean once(Operation operation, CutRelay relay, Direction direction, int bytes, HoldfastClient direct)
            throws InterruptedException {
        String where = operation.name() + " cut after " + bytes + " bytes of its " + direction;
        operation.prepare();
        relay.cutAfter(direction, bytes);
        try {
            operation.act();
        } catch (HoldfastException | IllegalStateException failed) {
            relay.disarm();
            verdict.finding("R2.7", "%s: its caller was told: %s", where, failed);
            return true;
        }
        boolean wasCut = relay.disarm();
        operation.judge(direct).ifPresent(wrong -> verdict.finding("R2.7", "%s: %s", where, wrong));
        return wasCut;
    }

    @Override
    public void close() {
        cell.close();
    }
}
