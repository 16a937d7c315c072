package io.holdfast.client;

import java.util.List;

/**
 * A page of a node's children.
 *
 * @param names in name order; none if the page is behind the last
 * @param more whether there were others after the last of these
 */
public record ChildrenPage(List<String> names, boolean more) {
    public ChildrenPage {
        names = List.copyOf(names);
    }
}
