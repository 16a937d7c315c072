package io.holdfast.client.session;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The application's calls by call id: starts each where it belongs and turns what comes of it into one completing action.
 *
 * <p><b>Thread:</b> the machine's.
 */
final class CallRouter {
    private final Outbox outbox;
    private final Requests requests;
    private final Calls calls;
    private final LockMachine locks;
    private final WatchDesk watchDesk;
    private final ValueCache cache;
    /** Open calls that are neither acquires nor releases. */
    private final TreeMap<Long, Started> open = new TreeMap<>();

    /** Exactly one is set. */
    private record Started(
            @Nullable Request request, @Nullable Call call) {}

    CallRouter(
            Outbox outbox, Requests requests, Calls calls, LockMachine locks, WatchDesk watchDesk, ValueCache cache) {
        this.outbox = outbox;
        this.requests = requests;
        this.calls = calls;
        this.locks = locks;
        this.watchDesk = watchDesk;
        this.cache = cache;
    }

    void start(SessionEvent event, long now) {
        if (event instanceof SessionEvent.Acquire acquire) {
            locks.acquire(acquire, now);
        } else if (event instanceof SessionEvent.Release release) {
            locks.release(release, now);
        } else if (event instanceof SessionEvent.Submit submit) {
            Invariants.check(
                    !(submit.operation() instanceof Operation.Acquire),
                    "a lock is taken by an Acquire event, so that its place has an owner");
            long deadline = Deadlines.after(now, submit.timeoutNanos());
            Request request = requests.submit(submit.operation(), deadline, new RequestEnd(submit.callId()));
            open.put(submit.callId(), new Started(request, null));
        } else if (event instanceof SessionEvent.Read read) {
            long deadline = Deadlines.after(now, read.timeoutNanos());
            Call call = calls.read(read.query(), deadline, new CallEnd(read.callId()));
            call.cacheable = cache.isOn() && read.cacheable() && read.query() instanceof Query.GetValue;
            open.put(read.callId(), new Started(null, call));
        } else if (event instanceof SessionEvent.OneShot oneShot) {
            long deadline = Deadlines.after(now, oneShot.timeoutNanos());
            Call call = calls.oneShot(oneShot.operation(), deadline, new CallEnd(oneShot.callId()));
            open.put(oneShot.callId(), new Started(null, call));
        } else if (event instanceof SessionEvent.Watch watch) {
            watchDesk.watch(watch, now);
        } else if (event instanceof SessionEvent.Listen listen) {
            watchDesk.listen(listen);
        }
    }

    /** Answers a read at once, if what it asks for is cached; whether it was. */
    boolean answerFromCache(SessionEvent.Read read, long now) {
        if (!read.cacheable() || !(read.query() instanceof Query.GetValue get)) {
            return false;
        }
        Answer.Value cached = cache.find(get.path(), now);
        if (cached != null) {
            outbox.add(new SessionAction.Answered(read.callId(), cached, true));
        }
        return cached != null;
    }

    /** Fails a call that is not even started. */
    void refuse(SessionEvent event, Function<String, Failure> failure) {
        if (event instanceof SessionEvent.Acquire acquire) {
            refuse(acquire.callId(), failure.apply(acquire.spec().toString()));
        } else if (event instanceof SessionEvent.Release release) {
            release.hold().markReleasing();
            refuse(release.callId(), failure.apply("release " + release.hold()));
        } else if (event instanceof SessionEvent.Submit submit) {
            refuse(submit.callId(), failure.apply(Words.of(submit.operation())));
        } else if (event instanceof SessionEvent.Read read) {
            refuse(read.callId(), failure.apply(Words.of(read.query())));
        } else if (event instanceof SessionEvent.OneShot oneShot) {
            refuse(oneShot.callId(), failure.apply(Words.of(oneShot.operation())));
        } else if (event instanceof SessionEvent.Watch watch) {
            refuse(watch.callId(), failure.apply(Words.of(watch.query())));
        } else if (event instanceof SessionEvent.Listen listen) {
            outbox.add(new SessionAction.WatchEnded(listen.listenId(), failure.apply(Words.of(listen.query()))));
        }
    }

    private void refuse(long callId, Failure failure) {
        outbox.add(new SessionAction.Fail(callId, failure));
    }

    void cancel(long callId, long now) {
        if (locks.cancel(callId, now) || watchDesk.cancel(callId)) {
            return;
        }
        Started started = open.get(callId);
        if (started == null) {
            return; // answered before
        }
        Request request = started.request();
        if (request != null) {
            requests.giveUp(request, Failure.cancelled(!request.mayHaveApplied(), request.words()), now);
        }
        Call call = started.call();
        if (call != null) {
            calls.cancel(call, now);
        }
    }

    int size() {
        return open.size() + locks.waitingCount();
    }

    private void end(long callId, SessionAction action) {
        open.remove(callId);
        outbox.add(action);
    }

    private void outcome(long callId, String words, Outcome outcome) {
        end(
                callId,
                outcome instanceof Outcome.Failed failed
                        ? new SessionAction.Fail(callId, Failure.refused(failed.code(), words, failed.message()))
                        : new SessionAction.Complete(callId, outcome));
    }

    /** The end of a submit. */
    private final class RequestEnd implements Request.Owner {
        private final long callId;

        RequestEnd(long callId) {
            this.callId = callId;
        }

        @Override
        public void done(Outcome outcome, long now) {
            outcome(callId, words(), outcome);
        }

        @Override
        public void failed(Failure failure, long now) {
            end(callId, new SessionAction.Fail(callId, failure));
        }

        private String words() {
            Started started = open.get(callId);
            return started == null || started.request() == null
                    ? ""
                    : started.request().words();
        }
    }

    /** The end of a read or one-shot. */
    private final class CallEnd implements Call.Owner {
        private final long callId;

        CallEnd(long callId) {
            this.callId = callId;
        }

        @Override
        public void answered(Answer answer, long now) {
            end(
                    callId,
                    answer instanceof Answer.Failed failed
                            ? new SessionAction.Fail(callId, readFailure(failed))
                            : new SessionAction.Answered(callId, answer));
        }

        private Failure readFailure(Answer.Failed failed) {
            ErrorCode code = failed.code();
            return Failure.refused(code, words(), failed.message());
        }

        @Override
        public void done(Outcome outcome, long now) {
            outcome(callId, words(), outcome);
        }

        @Override
        public void failed(Failure failure, long now) {
            end(callId, new SessionAction.Fail(callId, failure));
        }

        private String words() {
            Started started = open.get(callId);
            return started == null || started.call() == null
                    ? ""
                    : started.call().words();
        }
    }
}
