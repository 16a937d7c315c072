package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.support.Console;
import io.holdfast.client.Leader;
import io.holdfast.model.FencingToken;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What {@code leader --watch} prints where. */
final class LeaderReportTest {
    private static final Leader LEADER = new Leader("/e", "10.0.0.7:9000", new FencingToken(5), "/e/x-5", "worker");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private void tell(boolean json, boolean quiet) {
        LeaderReport report = new LeaderReport("/e", new Console(out, err), json, quiet);
        report.leader(Optional.of(LEADER));
        report.unsure("the connection is lost");
        report.sure();
        report.leader(Optional.empty());
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aLeaderIsPrintedOnceAlsoAfterADoubt() {
        tell(false, false);
        assertThat(text(out)).isEqualTo("10.0.0.7:9000\n");
        assertThat(text(err))
                .isEqualTo("holdfast: not certain any more: the connection is lost\n"
                        + "holdfast: certain again, nothing has changed\nholdfast: nobody leads /e\n");
    }

    @Test
    void quietLeavesTheLeadersAlone() {
        tell(false, true);
        assertThat(text(out)).isEqualTo("10.0.0.7:9000\n");
        assertThat(text(err)).isEmpty();
    }

    @Test
    void inJsonEachIsADocumentOnALine() {
        tell(true, true);
        assertThat(text(out).lines())
                .containsExactly(
                        "{\"election\":\"/e\",\"leader\":\"10.0.0.7:9000\",\"token\":5,\"place\":\"/e/x-5\","
                                + "\"client\":\"worker\"}",
                        "{\"election\":\"/e\",\"unsure\":\"the connection is lost\"}",
                        "{\"election\":\"/e\",\"unsure\":null}",
                        "{\"election\":\"/e\",\"leader\":null}");
        assertThat(text(err)).isEmpty();
    }
}
