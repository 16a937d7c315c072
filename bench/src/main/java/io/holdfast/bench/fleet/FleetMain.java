package io.holdfast.bench.fleet;

import io.holdfast.bench.load.Fields;
import io.holdfast.bench.load.RequestLoop;
import org.jspecify.annotations.Nullable;

/**
 * A load JVM with a part of the fleet, or with the callers beside it: {@code FleetMain ENDPOINTS NAME}, then requests as {@link
 * RequestLoop} takes them.
 *
 * <p><b>Thread:</b> the main one.
 */
public final class FleetMain {
    private final String endpoints;
    private final Fleet fleet;
    private final Outsider outsider;
    private @Nullable AcquireProbe probe;
    private @Nullable CachedReads reads;

    private FleetMain(String endpoints, String name) {
        this.endpoints = endpoints;
        this.fleet = new Fleet(endpoints, name);
        this.outsider = new Outsider(endpoints);
    }

    public static void main(String[] arguments) throws Exception {
        RequestLoop loop = RequestLoop.onStdout();
        FleetMain main = new FleetMain(arguments[0], arguments[1]);
        loop.serve(main::run);
        Runtime.getRuntime().halt(0); // nobody says good-bye: the cell is about to end too
    }

    private Fields run(Fields request) throws Exception {
        return switch (request.verb()) {
            case "open" -> fleet.open(request);
            case "check" -> fleet.check();
            case "close" -> fleet.close(request);
            case "mark" -> fleet.mark(request.text("endpoint"));
            case "back" -> fleet.back(request);
            case "holds" -> outsider.holds(request.text("prefix"));
            case "values" -> outsider.writeValues(request.integer("count"), request.integer("bytes"));
            case "write" -> outsider.writeFlag(request.number("version"));
            default -> more(request);
        };
    }

    private Fields more(Fields request) throws Exception {
        return switch (request.verb()) {
            case "probe-begin" -> {
                probe = new AcquireProbe(endpoints, request.integer("callers"));
                yield new Fields("");
            }
            case "probe-mark" -> probe().mark();
            case "probe-end" -> probe().end();
            case "reads-begin" -> {
                reads = new CachedReads(fleet.sessions(), request);
                yield new Fields("");
            }
            case "reads-mark" -> reads().mark(request);
            case "reads-figures" -> reads().figures();
            case "seen" -> reads().seen(request);
            case "reads-end" -> reads().end();
            default -> throw new IllegalArgumentException("no such request: " + request.verb());
        };
    }

    private AcquireProbe probe() {
        AcquireProbe running = probe;
        if (running == null) {
            throw new IllegalStateException("probe-begin comes first");
        }
        return running;
    }

    private CachedReads reads() {
        CachedReads running = reads;
        if (running == null) {
            throw new IllegalStateException("reads-begin comes first");
        }
        return running;
    }
}
