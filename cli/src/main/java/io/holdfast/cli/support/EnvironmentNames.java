package io.holdfast.cli.support;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Names the variable instead of the option in a message about a value that the environment gave. */
public final class EnvironmentNames {
    private static final List<String> OPTIONS = List.of("--endpoints", "--output", "--call-timeout", "--auth-token");

    private EnvironmentNames() {}

    /**
     * The message as the caller of the command knows things.
     *
     * @param words of the command line
     */
    public static String inMessage(String message, List<String> words, Map<String, String> environment) {
        String named = message;
        for (String option : OPTIONS) {
            String variable =
                    "HOLDFAST_" + option.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
            boolean given = words.stream().anyMatch(word -> word.equals(option) || word.startsWith(option + "="));
            if (!given && environment.containsKey(variable)) {
                named = named.replace("option '" + option + "'", variable).replace(option, variable);
            }
        }
        return named;
    }
}
