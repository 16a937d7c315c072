package io.holdfast.cli;

import io.holdfast.cli.support.Console;
import io.holdfast.cli.support.ExitStatus;
import io.holdfast.cli.support.GlobalOptions;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast completion}. */
@Command(
        name = "completion",
        description = {
            "Print a script that completes commands and options in a shell.",
            "It is one script for both shells; zsh runs it through its bashcompinit. For fish there is none."
        },
        footer = {
            "%nExamples:",
            "  source <(holdfast completion bash)               # this shell; or in ~/.bashrc",
            "  holdfast completion bash > /etc/bash_completion.d/holdfast",
            "  source <(holdfast completion zsh)                # or in ~/.zshrc"
        })
final class CompletionCommand implements Callable<Integer> {
    /** Shells that can run it. */
    enum Shell {
        bash,
        zsh
    }

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "bash|zsh", description = "The shell.")
    @SuppressWarnings("unused") // one script for both; naming another one is refused
    private Shell shell;

    @Override
    public Integer call() {
        Console console = ((GlobalOptions.Holder) spec.root().userObject()).console();
        CommandLine all = new CommandLine(new HoldfastCommand(console));
        Commands.addTo(all, new String[0]);
        console.result(AutoComplete.bash("holdfast", all));
        return ExitStatus.DONE.number();
    }
}
