package io.holdfast.server.parts;

/** Ends the process: a check of ours failed, or the disk cannot be trusted (R8.3). <b>Thread:</b> any; must not return. */
@FunctionalInterface
public interface FatalHandler {
    /**
     * Never goes on.
     *
     * @param message one line that an operator can act on
     */
    void fatal(String message, Throwable cause);
}
