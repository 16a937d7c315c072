package io.holdfast.client;

import io.holdfast.model.NodePath;
import java.util.Objects;

/** Paths as applications write them. */
final class Paths {
    private Paths() {}

    /** @throws RefusedException with code INVALID and what is wrong with it */
    static NodePath parse(String path) {
        Objects.requireNonNull(path, "path");
        return Failures.checked(() -> new NodePath(path));
    }
}
