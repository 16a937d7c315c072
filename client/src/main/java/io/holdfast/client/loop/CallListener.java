package io.holdfast.client.loop;

import io.holdfast.client.session.Failure;
import io.holdfast.client.session.Hold;
import io.holdfast.client.session.LeasedHold;
import io.holdfast.model.Answer;
import io.holdfast.model.Outcome;

/** What comes of one call: exactly one of these, on the loop's thread, which it must not keep. */
public interface CallListener {
    void granted(Hold hold);

    void leased(LeasedHold hold);

    void completed(Outcome outcome);

    void answered(Answer answer);

    void failed(Failure failure);
}
