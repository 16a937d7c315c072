package io.holdfast.cli.commands;

import io.holdfast.cli.support.CellCommand;
import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.Json;
import io.holdfast.client.ChildrenPage;
import io.holdfast.client.HoldfastClient;
import io.holdfast.model.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast ls}. */
@Command(
        name = "ls",
        description = "List the names of the children of a node, one on a line, in order: all, or a page of them.",
        footer = {
            "%nExamples:",
            "  holdfast ls /",
            "  holdfast ls /config --output json",
            "  holdfast ls /users --limit 100 --after user-0000000000000100   # the page behind that name",
            "%nExit status: 0 printed, 1 no such node or a bad path, 2 wrong usage, 3 cell unreachable."
        })
public final class LsCommand extends CellCommand {
    @Parameters(index = "0", paramLabel = "PATH", description = "Path of the node; / is the root.")
    private String path;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "Print at most N names, 1 to 1000, and say on standard error if there are more.")
    private @Nullable Integer limit;

    @Option(names = "--after", paramLabel = "NAME", description = "Begin behind this name, which need not exist.")
    private @Nullable String after;

    @Override
    protected void run(HoldfastClient client, Console console) {
        if (limit == null && after == null) {
            print(console, client.values().list(path), false);
            return;
        }
        int atMost = limit == null ? Limits.MAX_PAGE_ENTRIES : limit;
        ChildrenPage page = client.values().list(path, after == null ? "" : after, atMost);
        print(console, page.names(), page.more());
    }

    private void print(Console console, List<String> names, boolean more) {
        if (options().isJson()) {
            console.result(Json.write(Json.object("path", path, "children", names, "more", more)));
        } else if (!names.isEmpty()) {
            console.result(String.join("\n", names));
        }
        if (more && !options().isJson()) {
            console.note("there are more: --after " + names.get(names.size() - 1));
        }
    }
}
