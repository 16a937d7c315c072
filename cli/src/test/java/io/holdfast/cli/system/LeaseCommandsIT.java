package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cli.system.Holdfast.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code acquire}, {@code renew}, {@code release}, {@code inspect} against a cell of processes (C25, C45, C103, C119). */
final class LeaseCommandsIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path directory;

    private static Holdfast holdfast;

    @BeforeAll
    static void startCell() {
        int port = DevProcess.freePorts();
        holdfast = new Holdfast(directory, "127.0.0.1:" + port);
        new DevProcess(holdfast, directory.resolve("data"), port).start();
    }

    @AfterAll
    static void stopAll() {
        holdfast.close();
    }

    private static Result run(int status, String... command) {
        Result result = holdfast.run(command);
        assertThat(result.status())
                .as(String.join(" ", command) + ": " + result.err())
                .isEqualTo(status);
        assertThat(result.err()).doesNotContain("\tat ");
        return result;
    }

    private static JsonNode json(Result result) {
        try {
            return JSON.readTree(result.out());
        } catch (IOException e) {
            throw new AssertionError(result.out(), e);
        }
    }

    private static String acquire(String name, String owner) {
        String out = run(0, "acquire", name, "--owner", owner).out();
        assertThat(out).matches("[0-9]+\n");
        return out.trim();
    }

    @Test
    void aLockFromItsGrantToItsEnd() {
        String token = acquire("account/42", "worker-7");
        Result held = run(4, "acquire", "account/42", "--owner", "worker-8");
        assertThat(held.out()).isEmpty();
        assertThat(held.err()).contains("held by worker-7", "retry after");
        run(4, "acquire", "account/42", "--owner", "worker-7"); // not re-entrant
        assertThat(run(0, "inspect", "account/42").out()).contains("owner: worker-7\n", "token: " + token + "\n");
        JsonNode info = json(run(0, "inspect", "account/42", "--output", "json"));
        assertThat(info.get("token").asText()).isEqualTo(token);
        assertThat(info.get("remainingMillis").asLong()).isBetween(0L, 10_000L);
        run(0, "renew", "account/42", "--owner", "worker-7", "--token", token);
        run(5, "renew", "account/42", "--owner", "worker-8", "--token", token);
        run(5, "renew", "account/42", "--owner", "worker-7", "--token", "99");
        run(0, "check-token", "account/42", token);
        run(1, "check-token", "account/42", "99");
        run(5, "release", "account/42", "--owner", "worker-8", "--token", token);
        run(0, "release", "account/42", "--owner", "worker-7", "--token", token);
        run(0, "release", "account/42", "--owner", "worker-7", "--token", token);
        run(5, "renew", "account/42", "--owner", "worker-7", "--token", token); // C25
        run(1, "inspect", "account/42");
        run(1, "check-token", "account/42", token);
        assertThat(Long.parseLong(acquire("account/42", "worker-8"))).isGreaterThan(Long.parseLong(token));
    }

    @Test
    void aRepeatedRequestIsTheSameGrant() {
        JsonNode first = json(run(0, "acquire", "r", "--owner", "o", "--request-id", "1", "--output", "json"));
        JsonNode again = json(run(0, "acquire", "r", "--owner", "o", "--request-id", "1", "--output", "json"));
        assertThat(again.get("token")).isEqualTo(first.get("token"));
        assertThat(first.get("leaseMillis").asLong()).isEqualTo(10_000);
        run(4, "acquire", "r", "--owner", "o", "--request-id", "2");
        run(0, "release", "r", "--owner", "o", "--token", first.get("token").asText());
        acquire("r", "p");
    }

    @Test
    void badInputIsRefusedWithItsReason() {
        assertThat(run(1, "acquire", "/path", "--owner", "o").err()).contains("starts with '/'");
        assertThat(run(1, "acquire", "", "--owner", "o").err()).contains("is empty");
        assertThat(run(1, "acquire", "n".repeat(513), "--owner", "o").err()).contains("512");
        assertThat(run(1, "acquire", "n", "--owner", "a\tb").err()).contains("control character");
        assertThat(run(2, "acquire", "n", "--owner", "o", "--lease", "0").err()).contains("1s to 1m");
        assertThat(run(2, "acquire", "n", "--owner", "o", "--lease", "999ms").err())
                .contains("1s to 1m");
        assertThat(run(2, "acquire", "n", "--owner", "o", "--lease", "61s").err())
                .contains("1s to 1m");
        run(2, "acquire", "n", "--owner", "o", "--lease", "9223372036854775807s");
        run(2, "acquire", "n", "--owner", "o", "--lease", "NaN");
        run(2, "acquire", "n");
        run(2, "renew", "n", "--owner", "o", "--token", "many");
        run(1, "inspect", "n");
    }

    /** C78, C119: not before the lease is over; lost is another thing than unreachable. */
    @Test
    void aLeaseThatNobodyRenewsEnds() {
        long began = System.nanoTime();
        String token = run(0, "acquire", "short", "--owner", "o", "--lease", "2s")
                .out()
                .trim();
        Holdfast.await("free", () -> holdfast.run("inspect", "short").status() == 1);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(2));
        run(5, "renew", "short", "--owner", "o", "--token", token);
        run(5, "release", "short", "--owner", "o", "--token", token);
        String nobody = "127.0.0.1:" + DevProcess.freePorts();
        run(3, "--endpoints", nobody, "--call-timeout", "1s", "renew", "short", "--owner", "o", "--token", token);
        run(3, "--endpoints", nobody, "--call-timeout", "1s", "acquire", "short", "--owner", "o");
    }
}
