package io.holdfast.server.config;

import org.jspecify.annotations.Nullable;

/** The configuration is wrong; the message is one line that names where, which key, and what to do. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private ConfigException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * A value that cannot be used.
     *
     * @param origin the file, or the name of the environment variable or flag
     * @param key the key as in the file
     */
    static ConfigException of(String origin, String key, String problem) {
        return new ConfigException(origin + ": " + key + ": " + problem, null);
    }

    /** A problem of a whole source, or one between keys. */
    static ConfigException of(String origin, String problem) {
        return new ConfigException(origin + ": " + problem, null);
    }
}
