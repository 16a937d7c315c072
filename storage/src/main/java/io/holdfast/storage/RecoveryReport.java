package io.holdfast.storage;

import java.util.List;

/**
 * What opening the log had to repair after a crash. Nothing in it was ever acknowledged.
 *
 * @param cuts in the order in which they were made; empty after a clean stop
 */
public record RecoveryReport(List<Cut> cuts) {
    public RecoveryReport {
        cuts = List.copyOf(cuts);
    }

    /**
     * Bytes removed from the end of a file, or a whole unfinished file.
     *
     * @param file full name
     * @param offsetBytes where the removed part began
     * @param bytesCut how much was removed
     * @param reason how it was recognised as the trace of a crash
     */
    public record Cut(String file, long offsetBytes, long bytesCut, String reason) {
        @Override
        public String toString() {
            return file + ": cut " + bytesCut + " bytes at offset " + offsetBytes + " (" + reason + ")";
        }
    }
}
