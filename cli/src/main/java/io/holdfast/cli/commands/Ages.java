package io.holdfast.cli.commands;

/** How long ago something was, by wall clocks that may differ; for display only (R1.1). */
final class Ages {
    private Ages() {}

    static long since(long wallMillis) {
        return Math.max(0, System.currentTimeMillis() - wallMillis);
    }
}
