package io.holdfast.bench.load;

import io.holdfast.bench.driver.IdleSessions;
import java.util.ArrayList;
import java.util.List;

/** Sessions that stay open from one request to the next and do nothing. <b>Thread:</b> one. */
final class Idle implements AutoCloseable {
    private final Target target;
    private final List<IdleSessions> open = new ArrayList<>();
    private int count;

    Idle(Target target) {
        this.target = target;
    }

    /** Opens more, until there are {@code sessions}. */
    Fields open(Fields request) throws Exception {
        int wanted = request.integer("sessions");
        if (wanted > count) {
            open.add(target.openIdle(wanted - count));
            count = wanted;
        }
        return check();
    }

    /** How many are alive. */
    Fields check() {
        return new Fields("")
                .with("alive", open.stream().mapToInt(IdleSessions::alive).sum());
    }

    @Override
    public void close() throws Exception {
        for (IdleSessions sessions : open) {
            sessions.close();
        }
    }
}
