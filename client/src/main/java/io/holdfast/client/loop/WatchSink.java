package io.holdfast.client.loop;

import io.holdfast.client.session.Failure;
import io.holdfast.model.Answer;

/**
 * What comes of a watch or a listening after it was begun, in order, on the loop's thread, which it must not keep. After {@link
 * #fired} or {@link #ended} nothing more comes.
 */
public interface WatchSink {
    /** A single watch: there is something newer. */
    void fired(long revision);

    /** A listening: the present state, or a newer one. */
    void observed(Answer answer);

    /** A listening: what was observed may be old. */
    void unsure(String reason);

    /** A listening: what was observed holds again. */
    void sureAgain();

    /** Nothing more will come. */
    void ended(Failure failure);
}
