package io.holdfast.server.http;

import io.holdfast.server.http.wire.Call;
import io.holdfast.server.http.wire.Problem;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code If-Match} and {@code If-None-Match} ask for: one version in quotes, or {@code *}. Lists and weak tags are refused, as a
 * version is exact.
 *
 * <p><b>Source:</b> RFC 9110, section 13.
 */
record Preconditions(Optional<Tag> match, Optional<Tag> noneMatch) {
    private static final String IF_MATCH = "If-Match";
    private static final String IF_NONE_MATCH = "If-None-Match";
    private static final Pattern VERSION = Pattern.compile("\"([0-9]{1,19})\"");

    /** @param version empty for {@code *}, which means any */
    record Tag(OptionalLong version) {
        boolean fits(long present) {
            return version.isEmpty() || version.getAsLong() == present;
        }
    }

    /** @throws Problem 400 naming the header */
    static Preconditions of(Call call) {
        Preconditions both = new Preconditions(tag(IF_MATCH, call), tag(IF_NONE_MATCH, call));
        if (both.match.isPresent() && both.noneMatch.isPresent()) {
            throw Problem.invalid(IF_NONE_MATCH, "and If-Match contradict each other; give one of them");
        }
        return both;
    }

    /** For a write, which may depend on one version, on any, or on none. */
    static Preconditions ofWrite(Call call) {
        Preconditions asked = of(call);
        if (asked.noneMatch.isPresent() && asked.noneMatch.get().version().isPresent()) {
            throw Problem.invalid(IF_NONE_MATCH, "can only be * here: write if there is none");
        }
        return asked;
    }

    /** For a deletion, which makes no sense where there is nothing. */
    static Preconditions ofDelete(Call call) {
        Preconditions asked = of(call);
        if (asked.noneMatch.isPresent()) {
            throw Problem.invalid(IF_NONE_MATCH, "makes no sense with DELETE");
        }
        return asked;
    }

    private static Optional<Tag> tag(String header, Call call) {
        List<String> given = call.headers(header);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        String text = given.get(0).strip();
        Matcher version = VERSION.matcher(text);
        if (given.size() > 1 || !(text.equals("*") || version.matches())) {
            throw Problem.invalid(header, "must be one version in quotes, as ETag has it (\"3\"), or *");
        }
        return Optional.of(new Tag(text.equals("*") ? OptionalLong.empty() : OptionalLong.of(number(header, version))));
    }

    private static long number(String header, Matcher version) {
        try {
            return Long.parseLong(version.group(1));
        } catch (NumberFormatException tooLarge) {
            throw Problem.invalid(header, "is no version: it does not fit into 64 bits");
        }
    }
}
