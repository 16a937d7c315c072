package io.holdfast.chaos.check;

/**
 * A promise that was broken.
 *
 * @param promise its id, or the scenario's
 * @param what happened, in one line
 */
public record Finding(String promise, String what) {
    @Override
    public String toString() {
        return promise + ": " + what;
    }
}
