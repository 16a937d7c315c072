package io.holdfast.bench.load;

import io.holdfast.bench.driver.IdleSessions;
import io.holdfast.bench.driver.LockService;
import io.holdfast.bench.driver.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The service under load and where it is. */
final class Target {
    private final LockService service;
    private final String endpoints;
    private final AtomicInteger names = new AtomicInteger();

    Target(LockService service, String endpoints) {
        this.service = service;
        this.endpoints = endpoints;
    }

    Sessions open(int count) throws Exception {
        Sessions sessions = new Sessions();
        try {
            for (int i = 0; i < count; i++) {
                sessions.add(service.open(endpoints));
            }
        } catch (Exception failed) {
            sessions.close();
            throw failed;
        }
        return sessions;
    }

    IdleSessions openIdle(int count) throws Exception {
        return service.openIdle(endpoints, count);
    }

    /** A name that no workload of this JVM used before. */
    String freshName(String kind) {
        return "/bench-" + kind + "-" + ProcessHandle.current().pid() + "-" + names.incrementAndGet();
    }

    /** Several sessions, dealt out in turn. */
    static final class Sessions implements AutoCloseable {
        private final List<Session> all = new ArrayList<>();

        private void add(Session session) {
            all.add(session);
        }

        Session of(int caller) {
            return all.get(caller % all.size());
        }

        @Override
        public void close() {
            for (Session session : all) {
                try {
                    session.close();
                } catch (Exception failed) {
                    System.err.println("closing a session: " + failed);
                }
            }
        }
    }
}
