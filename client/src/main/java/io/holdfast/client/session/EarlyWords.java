package io.holdfast.client.session;

import io.holdfast.model.FencingToken;
import io.holdfast.model.NodePath;
import java.util.TreeMap;

/**
 * What the cell said of places before the reply that names them came: a reply may be lost and asked for again, events are not.
 *
 * <p><b>Thread:</b> the machine's. <b>Bounds:</b> {@link #MAX} of each; all is forgotten when no acquire is open.
 */
final class EarlyWords {
    static final int MAX = 1_024;

    private final TreeMap<NodePath, FencingToken> granted = new TreeMap<>();
    private final TreeMap<NodePath, FencingToken> broken = new TreeMap<>();

    void granted(NodePath place, FencingToken token) {
        if (granted.size() < MAX) {
            granted.put(place, token);
        }
    }

    /** Whether it will be remembered: only then may the client say that it never holds it. */
    boolean broken(NodePath place, FencingToken token) {
        if (broken.size() >= MAX && !broken.containsKey(place)) {
            return false;
        }
        broken.put(place, token);
        return true;
    }

    boolean takeGranted(NodePath place, FencingToken token) {
        return token.equals(granted.remove(place));
    }

    boolean takeBroken(NodePath place, FencingToken token) {
        return token.equals(broken.remove(place));
    }

    void forgetAll() {
        granted.clear();
        broken.clear();
    }
}
