package io.holdfast.cli.commands;

import io.holdfast.cell.lock.PlaceName;
import io.holdfast.model.FencingToken;
import java.util.Optional;

/**
 * The path of one place, of whatever mode, which names its token and so can never mean a later holder's (R4.4).
 *
 * @param path as given
 * @param token in its name
 */
record PlacePath(String path, FencingToken token) {
    /** Empty if the path is that of a lock, or of anything else. */
    static Optional<PlacePath> of(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        return PlaceName.modeOf(name) == null
                ? Optional.empty()
                : Optional.of(new PlacePath(path, PlaceName.tokenOf(name)));
    }
}
