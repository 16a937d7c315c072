package io.holdfast.cli.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.system.Holdfast.Result;
import io.holdfast.cli.system.Holdfast.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three replicas and two proxies as processes; all clients come by the proxies (issue 5; C27, C38, C41, C100, C101). */
final class ProxyIT {
    private static final int SIZE = 3;
    private static final int HOLDERS = 4;

    @TempDir
    Path directory;

    private Holdfast holdfast;
    private ReplicaCell cell;
    private Proxies proxies;

    @BeforeEach
    void startAll() {
        int proxyPort = Proxies.freePorts(2);
        int firstPort = ReplicaCell.freePorts(SIZE);
        holdfast = new Holdfast(directory, Proxies.endpoints(2, proxyPort));
        cell = new ReplicaCell(holdfast, directory, SIZE, firstPort);
        proxies = new Proxies(holdfast, ReplicaCell.endpoints(SIZE, firstPort), proxyPort);
    }

    @AfterEach
    void stopAll() {
        holdfast.close();
    }

    private void startCellAndProxies() {
        cell.startAll();
        proxies.start(1);
        proxies.start(2);
        proxies.awaitReady(1);
        proxies.awaitReady(2);
    }

    /** Wrappers that hold a lock each; waits until they do. */
    private List<Running> holders(int count) {
        List<Running> holders = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            holders.add(holdfast.start("lock", "/l/" + i, "--", "sleep", "600"));
        }
        Holdfast.await("all hold", () -> holders.stream().allMatch(Running::requireRunning) && held() == count);
        return holders;
    }

    private double held() {
        return cell.metric(cell.leader(), "holdfast_locks_held");
    }

    private double expired() {
        double sum = 0;
        for (int number = 1; number <= SIZE; number++) {
            if (cell.process(number).process().isAlive()) {
                sum += Math.max(0, cell.metric(number, "holdfast_session_expirations_total"));
            }
        }
        return sum;
    }

    @Test
    void aProxyIsAliveBeforeItHasFoundTheCellAndServesWhenItHas() {
        Running proxy = proxies.start(1);
        Holdfast.await("HTTP", () -> {
            proxy.requireRunning();
            try {
                return proxies.http(1, "/livez").statusCode() == 200;
            } catch (AssertionError notYet) {
                return false;
            }
        });
        assertThat(proxies.http(1, "/readyz").statusCode()).isEqualTo(503);
        assertThat(proxies.http(1, "/readyz").body()).contains("no replica of the cell has answered");
        Holdfast.await("says so", () -> proxy.stderr().contains("none of the upstreams answers"));
        cell.startAll();
        proxies.awaitReady(1);

        String only = proxies.endpoint(1);
        assertThat(holdfast.run("put", "/v/a", "one", "--endpoints", only).status())
                .isZero();
        assertThat(holdfast.run("get", "/v/a", "--endpoints", only).out()).isEqualTo("one");
        Result token = holdfast.run("lock", "/l/a", "--endpoints", only, "--", "sh", "-c", "echo $HOLDFAST_TOKEN");
        assertThat(token.status()).as(token.err()).isZero();
        assertThat(Long.parseLong(token.out().strip())).isPositive();
        for (String name : List.of(
                "holdfast_proxy_clients",
                "holdfast_proxy_link_up",
                "holdfast_proxy_frames_waiting",
                "holdfast_proxy_upstreams_heard",
                "holdfast_proxy_links_total",
                "holdfast_proxy_slow_clients_total",
                "holdfast_proxy_frames_total")) {
            assertThat(proxies.metric(1, name)).as(name).isNotNegative();
        }
        assertThat(proxies.metric(1, "holdfast_proxy_upstreams_heard")).isEqualTo(SIZE);
        assertThat(proxies.metric(1, "holdfast_proxy_frames_total")).isPositive();

        for (int number = 1; number <= SIZE; number++) {
            cell.kill(number); // all at once gone, and back
        }
        Holdfast.await("not ready", () -> proxies.http(1, "/readyz").statusCode() == 503);
        assertThat(proxies.http(1, "/livez").statusCode()).isEqualTo(200);
        Result none = holdfast.run("get", "/v/a", "--endpoints", only, "--call-timeout", "3s");
        assertThat(none.status()).as(none.err()).isEqualTo(3);
        cell.startAll();
        proxies.awaitReady(1);
        assertThat(holdfast.run("get", "/v/a", "--endpoints", only).out()).isEqualTo("one");
    }

    /** Sessions belong to the cell: their clients go on through the other proxy. */
    @Test
    void aKilledProxyCostsNobodyItsSession() {
        startCellAndProxies();
        List<Running> holders = holders(HOLDERS);
        for (int victim = 1; victim <= 2; victim++) {
            proxies.process(victim).signal("KILL");
            proxies.process(victim).await();
            int other = 3 - victim;
            // each wrapper has a session, which it keeps alive through the other one
            Holdfast.await("all moved", () -> proxies.metric(other, "holdfast_proxy_clients") >= HOLDERS);
            proxies.start(victim);
            proxies.awaitReady(victim);
        }
        requireLease();
        assertThat(holders).allMatch(Running::requireRunning);
        assertThat(held()).isEqualTo(HOLDERS);
        assertThat(expired()).isZero();
    }

    /** Longer than a lease: who had lost its way to the cell would be gone. */
    private void requireLease() {
        long end = System.nanoTime() + Duration.ofSeconds(14).toNanos();
        Holdfast.await("a lease passes", () -> System.nanoTime() > end);
    }

    @Test
    void aProxyThatIsToldToEndHasItsClientsMoveFirst() {
        startCellAndProxies();
        List<Running> holders = holders(HOLDERS);
        for (int victim = 1; victim <= 2; victim++) {
            double had = proxies.metric(victim, "holdfast_proxy_clients");
            Running proxy = proxies.process(victim);
            proxy.signal("TERM");
            Result ended = proxy.await();
            assertThat(ended.status()).isEqualTo(143);
            if (had > 1) { // its own HTTP port is one
                assertThat(ended.err()).contains("clients to move");
            }
            assertThat(ended.err()).doesNotContain("have not moved");
            int other = 3 - victim;
            Holdfast.await("all moved", () -> proxies.metric(other, "holdfast_proxy_clients") >= HOLDERS);
            proxies.start(victim);
            proxies.awaitReady(victim);
        }
        requireLease();
        assertThat(holders).allMatch(Running::requireRunning);
        assertThat(held()).isEqualTo(HOLDERS);
        assertThat(expired()).isZero();
    }

    /** C38, C101: killed, and frozen so that its connections stay open. */
    @Test
    void aLeaderThatGoesIsReplacedForThoseBehindProxies() {
        startCellAndProxies();
        List<Running> holders = holders(HOLDERS);
        int killed = cell.leader();
        cell.kill(killed);
        Result put = holdfast.run("put", "/v/a", "two", "--call-timeout", "20s");
        assertThat(put.status()).as(put.err()).isZero();
        assertThat(cell.leader()).isNotEqualTo(killed);
        cell.start(killed);
        cell.awaitReady(killed);

        int frozen = cell.leader();
        cell.process(frozen).signal("STOP");
        Result get = holdfast.run("get", "/v/a", "--call-timeout", "20s");
        assertThat(get.out()).as(get.err()).isEqualTo("two");
        assertThat(get.took()).isLessThan(Duration.ofSeconds(20));
        Result lock = holdfast.run("lock", "/l/x", "--timeout", "20s", "--", "true");
        assertThat(lock.status()).as(lock.err()).isZero();
        cell.process(frozen).signal("CONT");
        requireLease();
        assertThat(holders).allMatch(Running::requireRunning);
        Holdfast.await("still held", () -> held() == HOLDERS);
        assertThat(expired()).isZero();
    }

    @Test
    void aConfigurationIsCheckedWithoutAStart() throws IOException {
        Path good = Files.writeString(
                directory.resolve("good.yaml"),
                "listen: {client: 127.0.0.1:7520, http: 127.0.0.1:7521}\nupstream: [127.0.0.1:7420]\n");
        assertThat(holdfast.run("proxy", "--config", good.toString(), "--check").out())
                .isEqualTo(good + ": ok\n");
        Path bad = Files.writeString(directory.resolve("bad.yaml"), "upstreams: [127.0.0.1:7420]\n");
        Result refused = holdfast.run("proxy", "--config", bad.toString());
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("did you mean 'upstream'?").doesNotContain("\tat ");
        assertThat(holdfast.run("proxy", "--upstream", "127.0.0.1:7420", "--listen.client", "0.0.0.0:1", "--check")
                        .err())
                .contains("--insecure");
    }
}
