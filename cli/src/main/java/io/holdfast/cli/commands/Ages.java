package io.holdfast.cli.commands;

import io.holdfast.server.http.PlaceDocuments;

/** How long ago something was, by wall clocks that may differ; for display only (R1.1). */
final class Ages {
    private Ages() {}

    static long since(long wallMillis) {
        return PlaceDocuments.age(wallMillis, System.currentTimeMillis());
    }
}
