package io.holdfast.cli.process;

/**
 * How long a child may run on if nothing more is heard.
 *
 * @param termNanos until it is asked to end
 * @param killAfterNanos from then until it is killed; 0 to kill it without asking
 */
public record ChildLease(long termNanos, long killAfterNanos) {
    /** Whether its end, or the time that it takes to end the child, has begun: nothing may be started any more. */
    public boolean isOver() {
        return termNanos <= 0;
    }
}
