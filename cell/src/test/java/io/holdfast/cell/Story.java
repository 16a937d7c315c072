package io.holdfast.cell;

import io.holdfast.model.Answer;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Outcome;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The language of the golden files. A word with {@code =} is an option, all others are arguments; the session {@code -} is
 * none (a one-shot). A place is written {@code /lock/x-12}, without the zeros.
 *
 * <pre>
 * open NAME [lease=12000] [secret=N]     acquire S LOCK [mode=shared|permit] [permits=N] [try=yes] [delay=0]
 * release S PLACE TOKEN                  create S PATH [sequential=yes] [value=V]
 * put S PATH VALUE [version=N]           delete S PATH [version=N]
 * cancel S ID                            close S
 * expire S [term=7]                      end-delay PLACE TOKEN [term=7]
 * break PLACE TOKEN [term=7]             ask-break S PLACE TOKEN | ask-end S (refused: not for the log)
 * get|stat|ls|places PATH                check LOCK TOKEN
 * state PLACE TOKEN                      sessions | delayed | restart (from a snapshot)
 * </pre>
 *
 * Requests count their ids by themselves and acknowledge all before; {@code id=N} and {@code watermark=N} say otherwise.
 */
final class Story {
    private final Map<String, SessionId> sessions = new LinkedHashMap<>();
    private final Map<String, Long> lastId = new LinkedHashMap<>();
    private final TestCell cell = new TestCell();
    private long secrets;

    List<String> tell(String line) {
        Map<String, String> options = new TreeMap<>();
        List<String> words = new ArrayList<>();
        for (String word : line.split(" +")) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                options.put(word.substring(0, equals), word.substring(equals + 1));
            } else {
                words.add(word);
            }
        }
        List<String> output = tell(words, options);
        cell.check();
        return output.stream()
                .map(text -> text.replaceAll("([xsp]-)0+([0-9]+)", "$1$2"))
                .toList();
    }

    private List<String> tell(List<String> words, Map<String, String> options) {
        switch (words.get(0)) {
            case "get", "stat", "ls", "places", "check", "state", "sessions", "delayed":
                return ask(words);
            case "restart":
                cell.restart();
                return List.of();
            default:
                break;
        }
        long term = Long.parseLong(options.getOrDefault("term", "7"));
        Command command = switch (words.get(0)) {
            case "open" -> open(options);
            case "expire" -> new Command.ExpireSession(sessions.get(words.get(1)), term);
            case "break" -> new Command.BreakPlace(path(words.get(1)), token(words.get(2)), term);
            case "end-delay" -> new Command.EndDelay(path(words.get(1)), token(words.get(2)), term);
            default -> request(words.get(1), operation(words, options), options);
        };
        Outcome outcome = cell.apply(command);
        if (outcome instanceof Outcome.SessionOpened opened) {
            sessions.putIfAbsent(words.get(1), opened.session());
        }
        List<String> lines = new ArrayList<>();
        lines.add(show(outcome));
        for (CellEvent event : cell.events()) {
            lines.add("  " + show(event));
        }
        return lines;
    }

    private Command open(Map<String, String> options) {
        long secret = options.containsKey("secret") ? Long.parseLong(options.get("secret")) : 1_000 + secrets++;
        long lease = Long.parseLong(options.getOrDefault("lease", "12000"));
        return new Command.OpenSession(TestCell.secret(secret), lease, "client", false);
    }

    private Command request(String session, Operation operation, Map<String, String> options) {
        if (session.equals("-")) {
            return new Command.OneShot(operation);
        }
        long next = lastId.getOrDefault(session, 0L) + 1;
        long id = options.containsKey("id") ? Long.parseLong(options.get("id")) : next;
        long watermark = options.containsKey("watermark") ? Long.parseLong(options.get("watermark")) : id - 1;
        lastId.merge(session, id, Math::max);
        return new Command.Request(sessions.get(session), id, watermark, operation);
    }

    private static Operation operation(List<String> words, Map<String, String> options) {
        long version = Long.parseLong(options.getOrDefault("version", "-2"));
        byte[] value = options.getOrDefault("value", "").getBytes(StandardCharsets.UTF_8);
        return switch (words.get(0)) {
            case "acquire" ->
                new Operation.Acquire(
                        path(words.get(2)),
                        LockMode.valueOf(
                                options.getOrDefault("mode", "exclusive").toUpperCase(Locale.ROOT)),
                        options.containsKey("try"),
                        Long.parseLong(options.getOrDefault("delay", "0")),
                        value,
                        Integer.parseInt(options.getOrDefault("permits", "0")));
            case "release" -> new Operation.Release(path(words.get(2)), token(words.get(3)));
            case "create" ->
                new Operation.CreateEphemeral(path(words.get(2)), value, options.containsKey("sequential"));
            case "put" -> new Operation.Put(path(words.get(2)), words.get(3).getBytes(StandardCharsets.UTF_8), version);
            case "delete" -> new Operation.Delete(path(words.get(2)), version);
            case "cancel" -> new Operation.Cancel(Long.parseLong(words.get(2)));
            case "close" -> new Operation.CloseSession();
            case "ask-break" -> new Operation.BreakPlace(path(words.get(2)), token(words.get(3)));
            case "ask-end" -> new Operation.EndSession(new SessionId(1));
            default -> throw new IllegalArgumentException("unknown command " + words);
        };
    }

    private static NodePath path(String text) {
        return new NodePath(Pattern.compile("(?<=/[xsp]-)[0-9]+(?=/|$)")
                .matcher(text)
                .replaceAll(digits -> "0".repeat(20 - digits.group().length()) + digits.group()));
    }

    private static FencingToken token(String text) {
        return new FencingToken(Long.parseLong(text));
    }

    private List<String> ask(List<String> words) {
        List<String> lines = new ArrayList<>();
        switch (words.get(0)) {
            case "places" -> {
                for (Answer.PlaceInfo place : cell.places(words.get(1))) {
                    String who = place.session() == null ? "delayed" : nameOf(place.session());
                    lines.add(place.place() + " " + (place.held() ? "held" : "not-held") + " " + who);
                }
            }
            case "delayed" ->
                cell.machine()
                        .delayedPlaces()
                        .forEach(p -> lines.add(p.place() + " token=" + p.token() + " delay=" + p.delayMillis()));
            case "sessions" ->
                cell.machine()
                        .sessions()
                        .forEach(s ->
                                lines.add(nameOf(s.session()) + " id=" + s.session() + " lease=" + s.leaseMillis()));
            default -> lines.add(show(cell.machine().query(query(words))));
        }
        return lines.isEmpty() ? List.of("none") : lines;
    }

    private static Query query(List<String> words) {
        return switch (words.get(0)) {
            case "get" -> new Query.GetValue(path(words.get(1)));
            case "stat" -> new Query.Stat(path(words.get(1)));
            case "ls" -> new Query.ListChildren(path(words.get(1)), "", 1_000);
            case "check" -> new Query.CheckToken(path(words.get(1)), token(words.get(2)));
            default -> new Query.PlaceState(path(words.get(1)), token(words.get(2)));
        };
    }

    private String nameOf(SessionId session) {
        return sessions.entrySet().stream()
                .filter(entry -> entry.getValue().equals(session))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("session-" + session);
    }

    private String show(Outcome outcome) {
        if (outcome instanceof Outcome.Written o) {
            return "written " + o.path() + " version=" + o.version() + " revision=" + o.revision()
                    + (o.created() ? " created" : "");
        } else if (outcome instanceof Outcome.Created o) {
            return "created " + o.path() + " revision=" + o.revision();
        } else if (outcome instanceof Outcome.Deleted o) {
            return "deleted " + o.path() + " revision=" + o.revision();
        } else if (outcome instanceof Outcome.Placed o) {
            return (!o.present() ? "gone " : o.held() ? "held " : "waiting ") + o.place() + " token=" + o.token();
        } else if (outcome instanceof Outcome.NotAcquired o) {
            return "not acquired " + o.lock() + " blocker=" + o.blocker();
        } else if (outcome instanceof Outcome.Released o) {
            return o.removed() ? "released" : "released nothing";
        } else if (outcome instanceof Outcome.Cancelled o) {
            return "cancelled " + (o.removed() == null ? "nothing" : o.removed());
        } else if (outcome instanceof Outcome.SessionOpened o) {
            return "opened id=" + o.session() + " lease=" + o.leaseMillis();
        } else if (outcome instanceof Outcome.Failed o) {
            return "failed " + o.code() + ": " + o.message();
        }
        return "ended";
    }

    private String show(CellEvent event) {
        if (event instanceof CellEvent.Granted e) {
            return "granted " + e.place() + " to " + nameOf(e.session()) + " token=" + e.token();
        } else if (event instanceof CellEvent.SessionOpened e) {
            return "session opened lease=" + e.leaseMillis();
        } else if (event instanceof CellEvent.SessionEnded e) {
            return "session " + nameOf(e.session()) + (e.expired() ? " expired" : " closed");
        } else if (event instanceof CellEvent.DelayStarted e) {
            return "delay " + e.place() + " token=" + e.token() + " millis=" + e.delayMillis();
        } else if (event instanceof CellEvent.PlaceRemoved e) {
            return "removed " + e.place() + " of " + nameOf(e.session()) + " token=" + e.token();
        }
        CellEvent.NodeChanged e = (CellEvent.NodeChanged) event;
        return (e.created() ? "+" : e.deleted() ? "-" : "~") + e.path();
    }

    private static String show(Answer answer) {
        if (answer instanceof Answer.Value a) {
            return a.value() == null
                    ? "no value"
                    : "'" + new String(a.value(), StandardCharsets.UTF_8) + "' version=" + a.version();
        } else if (answer instanceof Answer.NodeStat a) {
            return a.kind() + " version=" + a.version() + " created=" + a.createRevision() + " modified="
                    + a.modifyRevision() + " children=" + a.children() + "@" + a.childrenRevision();
        } else if (answer instanceof Answer.Children a) {
            return a.names() + (a.more() ? " more" : "");
        } else if (answer instanceof Answer.Place a) {
            return a.present() ? a.held() ? "held" : "waiting" : "gone";
        } else if (answer instanceof Answer.TokenCheck a) {
            return a.current() ? "current" : "not current";
        }
        Answer.Failed failed = (Answer.Failed) answer;
        return "failed " + failed.code() + ": " + failed.message();
    }
}
