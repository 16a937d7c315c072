package io.holdfast.client;

import java.util.List;

/**
 * A batch was written.
 *
 * @param revision of all that it changed
 * @param versions for each item in order the version that the value has now; of a delete, the one that it had; -1 for a check
 *     that there is none
 */
public record BatchResult(long revision, List<Long> versions) {}
