package io.holdfast.cli.lock;

import java.util.Map;

/**
 * The locale that the user had. Java reads arguments by the locale, and in a locale without UTF-8 (as under cron) it would
 * change them, so the launcher runs it in C.UTF-8 then; the child shall see what the user had.
 */
final class LauncherLocale {
    /** {@code unset}, or {@code set:} and the value of LC_ALL; absent if the launcher changed nothing. */
    private static final String SAVED = "HOLDFAST_LAUNCHER_LC_ALL";

    private LauncherLocale() {}

    /** Changes to the child's environment; an empty value removes the variable. */
    static Map<String, String> original() {
        String saved = System.getenv(SAVED);
        if (saved == null) {
            return Map.of();
        }
        String lcAll = saved.startsWith("set:") ? saved.substring("set:".length()) : "";
        return Map.of(SAVED, "", "LC_ALL", lcAll);
    }
}
