package io.holdfast.bench.run;

import java.util.List;

/** The benchmark ran to its end, and its figures fall short of an aim. */
final class AimsMissedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    AimsMissedException(List<String> missed) {
        super((missed.size() == 1 ? "an aim was missed: " : missed.size() + " aims were missed: ")
                + String.join("; ", missed));
    }

    AimsMissedException(String missed) {
        this(List.of(missed));
    }
}
