package io.holdfast.cli.support;

import io.holdfast.cli.support.CliException.Fate;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says on standard error why a command ends without success: one line, or one JSON object; nothing if it is silent. */
public final class Errors {
    private Errors() {}

    public static void print(Console console, boolean json, CliException error) {
        if (error.isSilent()) {
            return;
        }
        String message = oneLine(String.valueOf(error.getMessage()));
        if (json) {
            Map<String, @Nullable Object> object =
                    Json.object("error", error.code(), "message", message, "exit", error.exitStatus());
            if (error.fate() != Fate.UNSAID) {
                object.put("outcome", error.fate() == Fate.UNKNOWN ? "unknown" : "not done");
            }
            console.note(Json.write(object));
        } else {
            boolean unanswered = error.exitStatus() == ExitStatus.UNREACHABLE.number() && error.fate() != Fate.UNSAID;
            console.note(
                    "holdfast: " + message + (unanswered ? " (" + error.fate().words() + ")" : ""));
        }
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s*\\R\\s*", " ").strip();
    }
}
