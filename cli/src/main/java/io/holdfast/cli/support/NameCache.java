package io.holdfast.cli.support;

import java.security.Security;

/** How long the JVM remembers the address of a name: a name may come to mean another one while a process runs (C116). */
public final class NameCache {
    private static final String SECONDS = "1";

    private NameCache() {}

    /** Instead of 30 s; counts only before the first name is looked up. */
    public static void keepBriefly() {
        Security.setProperty("networkaddress.cache.ttl", SECONDS);
        Security.setProperty("networkaddress.cache.negative.ttl", SECONDS);
    }
}
