package io.holdfast.bench.run;

import io.holdfast.bench.load.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Several load JVMs that do the same at the same time. <b>Thread:</b> one. */
final class Loads implements AutoCloseable {
    private final List<LoadProcess> all = new ArrayList<>();
    private final ExecutorService askers = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "asker");
        thread.setDaemon(true);
        return thread;
    });

    void add(LoadProcess load) {
        all.add(load);
    }

    int count() {
        return all.size();
    }

    /** Their process ids, separated by commas. */
    String pids() {
        return String.join(
                ",", all.stream().map(load -> String.valueOf(load.pid())).toList());
    }

    /**
     * Asks all at once and waits for all answers, in order.
     *
     * @throws IllegalStateException if one of them fails
     */
    List<Fields> request(IntFunction<Fields> request) throws InterruptedException {
        List<Future<Fields>> asked = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            LoadProcess load = all.get(i);
            Fields each = request.apply(i);
            asked.add(askers.submit(() -> load.request(each)));
        }
        List<Fields> answers = new ArrayList<>();
        try {
            for (Future<Fields> answer : asked) {
                answers.add(answer.get());
            }
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IllegalStateException told) {
                throw told;
            }
            throw new CompletionException(failed.getCause());
        }
        return answers;
    }

    static long sum(List<Fields> answers, String key) {
        return answers.stream().mapToLong(answer -> answer.number(key)).sum();
    }

    static long max(List<Fields> answers, String key) {
        return answers.stream().mapToLong(answer -> answer.number(key)).max().orElse(0);
    }

    /** The first text that is not {@code none}, if there is one. */
    static String first(List<Fields> answers, String key) {
        return answers.stream()
                .map(answer -> answer.text(key))
                .filter(text -> !text.equals("none"))
                .findFirst()
                .orElse("none");
    }

    @Override
    public void close() {
        askers.shutdownNow();
        all.forEach(LoadProcess::close);
    }
}
