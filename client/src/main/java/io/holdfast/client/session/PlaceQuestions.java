package io.holdfast.client.session;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.NodePath;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Asks the cell for the state of places, each place by one question at a time (R4.2).
 *
 * <p><b>Thread:</b> the machine's.
 */
final class PlaceQuestions {
    /** Hears the answers. */
    interface Listener {
        /** @param state null if the cell knows no such place */
        void placeState(NodePath place, FencingToken token, Answer.@Nullable Place state, long now);
    }

    private final Calls calls;
    private final Listener listener;
    private final TreeMap<NodePath, Call> asked = new TreeMap<>();

    PlaceQuestions(Calls calls, Listener listener) {
        this.calls = calls;
        this.listener = listener;
    }

    /** A question that is under way already is repeated with the stream, so its answer is as new. */
    void ask(NodePath place, FencingToken token) {
        if (!asked.containsKey(place)) {
            Query query = new Query.PlaceState(place, token);
            asked.put(place, calls.read(query, Deadlines.NEVER, new Question(place, token)));
        }
    }

    /** Nobody wants the answers any more. */
    void drop() {
        asked.values().forEach(calls::drop);
        asked.clear();
    }

    private final class Question implements Call.Owner {
        private final NodePath place;
        private final FencingToken token;

        Question(NodePath place, FencingToken token) {
            this.place = place;
            this.token = token;
        }

        @Override
        public void answered(Answer answer, long now) {
            asked.remove(place);
            if (answer instanceof Answer.Place state) {
                listener.placeState(place, token, state, now);
            } else if (answer instanceof Answer.Failed failed && failed.code() == ErrorCode.NOT_FOUND) {
                listener.placeState(place, token, null, now);
            }
        }

        @Override
        public void done(Outcome outcome, long now) {}

        @Override
        public void failed(Failure failure, long now) {
            asked.remove(place);
        }
    }
}
