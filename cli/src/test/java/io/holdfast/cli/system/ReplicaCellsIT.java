package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.cli.system.Holdfast.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cells of other sizes than three, and at other addresses. */
final class ReplicaCellsIT {
    @TempDir
    Path directory;

    private Holdfast holdfast;
    private ReplicaCell cell;

    private void make(String host, int size) {
        int firstPort = ReplicaCell.freePorts(size);
        holdfast = new Holdfast(directory, ReplicaCell.endpoints(host, size, firstPort));
        cell = new ReplicaCell(holdfast, directory, host, size, firstPort);
    }

    @AfterEach
    void stopAll() {
        if (holdfast != null) {
            holdfast.close();
        }
    }

    private void put(String value) {
        Result put = holdfast.run("put", "/v/a", value, "--call-timeout", "30s");
        assertThat(put.status()).as(put.err()).isZero();
    }

    private void assertValue(String value) {
        Result get = holdfast.run("get", "/v/a", "--call-timeout", "30s");
        assertThat(get.out()).as(get.err()).isEqualTo(value);
    }

    @Test
    void oneReplicaIsACellAndKeepsWhatItAcknowledged() {
        make("127.0.0.1", 1);
        cell.startAll();
        put("one");
        assertThat(holdfast.run("lock", "/l/a", "--", "true").status()).isZero();
        cell.kill(1);
        cell.startAll();
        assertValue("one");
        cell.process(1).signal("TERM");
        assertThat(cell.process(1).await().status()).isEqualTo(143);

        Result edited =
                cell.start(1, Map.of(), cell.members() + ",r2=127.0.0.1:1").await();
        assertThat(edited.status()).isEqualTo(1);
        assertThat(edited.err())
                .contains("members: the configuration names r1, r2, but by its data the members are r1;");
        assertThat(edited.err()).doesNotContain("\tat ");
    }

    @Test
    void fiveReplicasOutliveTheDeathOfTwo() {
        make("127.0.0.1", 5);
        cell.startAll();
        put("one");
        int first = cell.leader();
        cell.kill(first);
        put("two");
        int second = cell.leader();
        assertThat(second).isNotEqualTo(first);
        cell.kill(second);
        put("three");
        int third = cell.leader();
        cell.kill(third);
        Result put = holdfast.run("put", "/v/a", "four", "--call-timeout", "2s");
        assertThat(put.status()).isEqualTo(3);
        cell.start(first);
        cell.awaitReady(first);
        List<String> possible = put.err().contains("(not done)") ? List.of("three") : List.of("three", "four");
        assertThat(holdfast.run("get", "/v/a", "--call-timeout", "30s").out()).isIn(possible);
        put("five");
        assertValue("five");
    }

    @Test
    void aCellOfIpv6AddressesServesAndFailsOver() {
        assumeTrue(hasIpv6(), "this machine has no IPv6 on its loopback interface");
        make("[::1]", 3);
        cell.startAll();
        put("one");
        int leader = cell.leader();
        cell.kill(leader);
        put("two");
        assertThat(cell.leader()).isNotEqualTo(leader);
        assertValue("two");
        assertThat(holdfast.run("lock", "/l/a", "--", "true").status()).isZero();
    }

    private static boolean hasIpv6() {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getByName("::1"))) {
            return probe.isBound();
        } catch (IOException none) {
            return false;
        }
    }
}
