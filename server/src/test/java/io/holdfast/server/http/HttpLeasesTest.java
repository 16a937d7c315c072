package io.holdfast.server.http;

import static io.holdfast.server.http.GatewayFixture.bytes;
import static io.holdfast.server.http.GatewayFixture.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.http.leases.ClientLeases;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leased locks over HTTP as the cell really serves them; each answer is held against {@code /openapi.json}. */
final class HttpLeasesTest {
    @TempDir
    static Path directory;

    private static GatewayFixture gateway;
    private static HttpEndpoint real;

    @BeforeAll
    static void start() throws Exception {
        gateway = new GatewayFixture(directory);
        real = HttpEndpoint.start("127.0.0.1", 0, () -> "", HttpEndpoint.NOT_FORMED);
        var client = gateway.client();
        real.serve(client, new ClientLeases(client, 20));
    }

    @AfterAll
    static void stop() {
        real.close();
        gateway.close();
    }

    private static HttpResponse<byte[]> post(String path, String body) {
        return gateway.call(real, "POST " + path, path, bytes(body));
    }

    private static HttpResponse<byte[]> acquire(String more) {
        return post("/v1/leases/acquire", "{\"name\":\"account/42\",\"owner\":\"w\"" + more + "}");
    }

    private static long token(HttpResponse<byte[]> granted) {
        assertThat(granted.statusCode()).as(new String(granted.body())).isEqualTo(200);
        return ((Number) map(granted).get("token")).longValue();
    }

    @Test
    void aLeaseLivesFromItsGrantToItsRelease() {
        long token = token(acquire(",\"requestId\":\"r1\""));
        assertThat(token(acquire(",\"requestId\":\"r1\""))).isEqualTo(token);
        HttpResponse<byte[]> held = acquire(",\"requestId\":\"r2\"");
        assertThat(held.statusCode()).isEqualTo(409);
        assertThat(((Number) map(held).get("retryAfterMillis")).longValue()).isBetween(0L, 10_000L);
        assertThat(held.headers().firstValue("Retry-After")).isPresent();
        assertThat(acquire("").statusCode()).isEqualTo(409);

        HttpResponse<byte[]> record = gateway.call(real, "GET /v1/leases", "/v1/leases?name=account/42", null);
        assertThat(map(record)).containsEntry("owner", "w").containsEntry("shard", 17);
        assertThat(((Number) map(record).get("token")).longValue()).isEqualTo(token);
        String check = "{\"name\":\"account/42\",\"token\":" + token + "}";
        assertThat(map(post("/v1/tokens/check", check))).containsEntry("current", true);

        String claim = "{\"name\":\"account/42\",\"owner\":\"w\",\"token\":" + token + "}";
        String other = claim.replace("\"w\"", "\"v\"");
        assertThat(post("/v1/leases/renew", claim).statusCode()).isEqualTo(200);
        assertThat(post("/v1/leases/renew", other).statusCode()).isEqualTo(410);
        assertThat(post("/v1/leases/release", other).statusCode()).isEqualTo(410);
        assertThat(post("/v1/leases/release", claim).statusCode()).isEqualTo(200);
        assertThat(post("/v1/leases/release", claim).statusCode()).isEqualTo(200);
        assertThat(post("/v1/leases/renew", claim).statusCode()).isEqualTo(410);
        assertThat(gateway.call(real, "GET /v1/leases", "/v1/leases?name=account/42", null)
                        .statusCode())
                .isEqualTo(404);
        assertThat(map(post("/v1/tokens/check", check))).containsEntry("current", false);
        assertThat(token(acquire(""))).isGreaterThan(token);
    }

    @Test
    void namesAreSpreadOverAllShards() {
        Set<Object> shards = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            String name = "spread-" + i;
            token(post("/v1/leases/acquire", "{\"name\":\"" + name + "\",\"owner\":\"o\",\"leaseMillis\":60000}"));
            shards.add(map(gateway.call(real, "GET /v1/leases", "/v1/leases?name=" + name, null))
                    .get("shard"));
        }
        assertThat(shards).hasSize(20);
    }
}
