package io.holdfast.server.http;

import static io.holdfast.server.http.GatewayFixture.bytes;
import static io.holdfast.server.http.GatewayFixture.map;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.Leadership;
import io.holdfast.client.LockHold;
import io.holdfast.server.http.wire.Call;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The HTTP table, by a public HTTP client against a real cell; each answer is held against {@code /openapi.json} too. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class HttpContractTest {
    private static final String VALUES = "/v1/values/{path}";
    private static final String ACQUIRE = "POST /v1/leases/acquire";
    private static final String RENEW = "POST /v1/leases/renew";
    private static final String RELEASE = "POST /v1/leases/release";
    private static final String INSPECT = "GET /v1/leases";

    @TempDir
    static Path directory;

    private static GatewayFixture gateway;

    @BeforeAll
    static void start() throws Exception {
        gateway = new GatewayFixture(directory);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @AfterEach
    void answerAtOnceAgain() {
        gateway.leases.answerAfter(CompletableFuture.completedFuture(null));
    }

    private static HttpResponse<byte[]> put(String path, String value, String... headers) {
        return gateway.call("PUT " + VALUES, "/v1/values" + path, bytes(value), headers);
    }

    private static HttpResponse<byte[]> get(String path, String... headers) {
        return gateway.call("GET " + VALUES, "/v1/values" + path, null, headers);
    }

    private static HttpResponse<byte[]> delete(String path, String... headers) {
        return gateway.call("DELETE " + VALUES, "/v1/values" + path, null, headers);
    }

    private static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    private static String header(HttpResponse<byte[]> response, String name) {
        return response.headers().firstValue(name).orElse(null);
    }

    private static void refused(HttpResponse<byte[]> response, int status, String code, String... named) {
        assertThat(response.statusCode()).as(text(response)).isEqualTo(status);
        assertThat(map(response)).containsEntry("error", code);
        assertThat(String.valueOf(map(response).get("message")))
                .contains(named.length == 0 ? new String[] {""} : named)
                .doesNotContain("Exception", "\tat ");
    }

    // ---- values

    @Test
    void aValueIsCreatedChangedReadAndDeleted() {
        HttpResponse<byte[]> created = put("/config/flag", "on");
        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(header(created, "ETag")).isEqualTo("\"0\"");
        assertThat(map(created)).containsEntry("path", "/config/flag").containsEntry("created", true);

        HttpResponse<byte[]> changed = put("/config/flag", "off");
        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(header(changed, "ETag")).isEqualTo("\"1\"");

        HttpResponse<byte[]> read = get("/config/flag");
        assertThat(read.statusCode()).isEqualTo(200);
        assertThat(text(read)).isEqualTo("off");
        assertThat(header(read, "ETag")).isEqualTo("\"1\"");
        assertThat(header(read, "Content-Type")).isEqualTo("application/octet-stream");

        assertThat(delete("/config/flag").statusCode()).isEqualTo(200);
        refused(get("/config/flag"), 404, "NOT_FOUND", "/config/flag");
        refused(delete("/config/flag"), 404, "NOT_FOUND");
    }

    @Test
    void anyBytesComeBackAsTheyWent() {
        byte[] all = new byte[65_536];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) (i * 31);
        }
        assertThat(gateway.call("PUT " + VALUES, "/v1/values/bytes/all", all).statusCode())
                .isEqualTo(201);
        assertThat(get("/bytes/all").body()).isEqualTo(all);
        assertThat(put("/bytes/none", "").statusCode()).isEqualTo(201);
        assertThat(get("/bytes/none").body()).isEmpty();
    }

    @Test
    void headTellsWhatGetWould() {
        put("/head", "four");
        HttpResponse<byte[]> head = gateway.send("HEAD", "/v1/values/head", null);
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(header(head, "ETag")).isEqualTo("\"0\"");
        assertThat(header(head, "Content-Length")).isEqualTo("4");
        assertThat(head.body()).isEmpty();
        assertThat(gateway.send("HEAD", "/v1/values/not/there", null).statusCode())
                .isEqualTo(404);
    }

    @Test
    void aWriteDependsOnTheVersionThatItNames() {
        put("/cas", "0");
        refused(put("/cas", "x", "If-Match", "\"7\""), 412, "BAD_VERSION", "version 0", "expected 7");
        assertThat(put("/cas", "1", "If-Match", "\"0\"").statusCode()).isEqualTo(200);
        refused(put("/cas", "x", "If-None-Match", "*"), 412, "EXISTS");
        assertThat(put("/cas", "2", "If-Match", "*").statusCode()).isEqualTo(200);
        refused(delete("/cas", "If-Match", "\"0\""), 412, "BAD_VERSION");
        assertThat(text(get("/cas"))).isEqualTo("2");
        assertThat(delete("/cas", "If-Match", "\"2\"").statusCode()).isEqualTo(200);
        refused(delete("/cas", "If-Match", "\"2\""), 404, "NOT_FOUND"); // without the condition it would be 404 too
        refused(put("/cas", "x", "If-Match", "\"2\""), 412, "BAD_VERSION");
        refused(put("/cas", "x", "If-Match", "*"), 412, "BAD_VERSION");
        assertThat(put("/cas", "again", "If-None-Match", "*").statusCode()).isEqualTo(201);
        assertThat(delete("/cas", "If-Match", "*").statusCode()).isEqualTo(200);
    }

    @Test
    void aReadMayDependOnTheVersionToo() {
        put("/read", "0");
        HttpResponse<byte[]> known = get("/read", "If-None-Match", "\"0\"");
        assertThat(known.statusCode()).isEqualTo(304);
        assertThat(header(known, "ETag")).isEqualTo("\"0\"");
        assertThat(get("/read", "If-None-Match", "\"1\"").statusCode()).isEqualTo(200);
        assertThat(get("/read", "If-Match", "\"0\"").statusCode()).isEqualTo(200);
        refused(get("/read", "If-Match", "\"1\""), 412, "BAD_VERSION");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3", "W/\"3\"", "\"3\", \"4\"", "\"-1\"", "\"x\"", "\"99999999999999999999\"", "\"\""})
    void aConditionThatIsNoVersionIsRefused(String condition) {
        HttpResponse<byte[]> response = put("/condition", "x", "If-Match", condition);
        refused(response, 400, "INVALID", "If-Match");
        assertThat(map(response)).containsEntry("field", "If-Match");
    }

    @Test
    void conditionsThatMakeNoSenseAreRefused() {
        refused(put("/condition", "x", "If-None-Match", "\"3\""), 400, "INVALID", "If-None-Match");
        refused(put("/condition", "x", "If-None-Match", "*", "If-Match", "\"3\""), 400, "INVALID", "If-None-Match");
        refused(delete("/condition", "If-None-Match", "*"), 400, "INVALID", "If-None-Match");
    }

    @ParameterizedTest
    @CsvSource({
        "/a//b, empty segment",
        "//a, empty segment",
        "/a/, end with",
        "/a/../b, '..'",
        "/./b, '.'",
        "/a/%2e%2e, '..'",
        "/a%2Fb, %2F",
        "/a%01, control character",
        "/a%0a, control character",
        "/%ff, UTF-8",
        "/%c0%80, UTF-8",
        "/%ed%a0%80, UTF-8",
        "/, root",
    })
    void aBadPathIsNamed(String path, String problem) {
        for (HttpResponse<byte[]> response : List.of(get(path), put(path, "x"), delete(path))) {
            refused(response, 400, "INVALID", "path", problem);
            assertThat(map(response)).containsEntry("field", "path");
        }
    }

    /** The server itself refuses it, before anybody here sees it. */
    @Test
    void aPathWithAZeroByteIsRefused() {
        refused(get("/a%00"), 400, "INVALID", "path");
    }

    @Test
    void aPathMayHaveAnyCharactersThatAreEncoded() {
        assertThat(put("/caf%C3%A9/a%20b/100%25/%F0%9F%94%92+;x=1", "x").statusCode())
                .isEqualTo(201);
        assertThat(get("/caf%c3%a9/a%20b/100%25/%F0%9F%94%92%2B%3Bx%3D1").statusCode())
                .isEqualTo(200);
        assertThat(gateway.client().values().get("/café/a b/100%/🔒+;x=1")).isPresent();
        refused(put("/" + "a".repeat(1_025), "x"), 400, "INVALID", "path", "1024");
        assertThat(put("/" + "a".repeat(1_023), "x").statusCode()).isEqualTo(201);
    }

    @Test
    void aValueThatIsTooLargeIsRefused() {
        HttpResponse<byte[]> response = gateway.call("PUT " + VALUES, "/v1/values/large", new byte[65_537]);
        refused(response, 413, "TOO_LARGE", "65536");
        refused(get("/large"), 404, "NOT_FOUND");
    }

    @Test
    void aLockInUseIsNoValueAndANodeWithChildrenStays() throws Exception {
        try (HoldfastClient client = gateway.client();
                LockHold hold = client.lock("/locked").acquire()) {
            refused(put("/locked", "x"), 409, "WRONG_KIND", "/locked");
            assertThat(hold.isHeld()).isTrue();
        }
        put("/parent", "x");
        put("/parent/child", "x");
        refused(delete("/parent"), 409, "NOT_EMPTY");
    }

    // ---- introspection

    @Test
    void locksAndSessionsShowHoldersAndWaitersWithTokens() throws Exception {
        try (HoldfastClient one = gateway.client();
                HoldfastClient two = gateway.client();
                LockHold hold = one.lock("/jobs/reindex").acquire()) {
            CompletableFuture<LockHold> waiting = two.lock("/jobs/reindex").acquireAsync();
            JsonNode lock = awaitWaiter("/v1/locks?prefix=/jobs");
            assertThat(lock.get("lock").textValue()).isEqualTo("/jobs/reindex");
            JsonNode holder = lock.get("holders").get(0);
            assertThat(holder.get("token").longValue()).isEqualTo(hold.token().value());
            assertThat(holder.get("mode").textValue()).isEqualTo("exclusive");
            long session = one.session().orElseThrow().id().value();
            assertThat(holder.get("session").longValue()).isEqualTo(session);

            JsonNode sessions = Spec.read(gateway.call("GET /v1/sessions", "/v1/sessions", null)
                            .body())
                    .get("sessions");
            JsonNode mine = null;
            for (JsonNode each : sessions) {
                mine = each.get("session").longValue() == session ? each : mine;
            }
            assertThat(mine).isNotNull();
            assertThat(mine.get("holds").get(0).get("token").longValue())
                    .isEqualTo(hold.token().value());
            waiting.cancel(true);
        }
        assertThat(Spec.read(gateway.call("GET /v1/locks", "/v1/locks?prefix=/nothing/here", null)
                                .body())
                        .get("locks"))
                .isEmpty();
    }

    /** The waiter is on its way; asks until it has arrived. */
    private static JsonNode awaitWaiter(String path) {
        for (int attempt = 0; attempt < 1_000; attempt++) {
            JsonNode locks =
                    Spec.read(gateway.call("GET /v1/locks", path, null).body()).get("locks");
            if (locks.size() == 1 && !locks.get(0).get("waiters").isEmpty()) {
                return locks.get(0);
            }
        }
        throw new AssertionError("the waiter never came");
    }

    @Test
    void aListOfManyPagesComesWhole() throws Exception {
        try (HoldfastClient client = gateway.client()) {
            CompletableFuture<?>[] taken = new CompletableFuture<?>[1_100];
            for (int i = 0; i < taken.length; i++) {
                taken[i] = client.lock("/many/" + i).acquireAsync();
            }
            CompletableFuture.allOf(taken).join();
            JsonNode locks = Spec.read(gateway.call("GET /v1/locks", "/v1/locks?prefix=/many", null)
                            .body())
                    .get("locks");
            assertThat(locks).hasSize(taken.length);
            JsonNode sessions = Spec.read(gateway.call("GET /v1/sessions", "/v1/sessions", null)
                            .body())
                    .get("sessions");
            assertThat(sessions)
                    .anySatisfy(each -> assertThat(each.get("holds")).hasSize(taken.length));
        }
    }

    @Test
    void theCellHasALeaderAndReplicas() {
        Map<String, Object> cell = map(gateway.call("GET /v1/cell", "/v1/cell", null));
        assertThat(cell).containsEntry("cell", "dev").containsEntry("leader", "r1");
        assertThat((List<?>) cell.get("replicas")).hasSize(1);
    }

    @Test
    void anElectionHasALeaderOrNone() throws Exception {
        String question = "/v1/elections?name=%2Fservices%2Findexer";
        assertThat(map(gateway.call("GET /v1/elections", question, null))).containsEntry("leader", null);
        try (HoldfastClient client = gateway.client();
                Leadership lead = client.election("/services/indexer").campaign("10.0.0.7:9000")) {
            assertThat(map(gateway.call("GET /v1/elections", question, null)))
                    .containsEntry("leader", "10.0.0.7:9000")
                    .containsEntry("token", (int) lead.token().value());
        }
        refused(gateway.call("GET /v1/elections", "/v1/elections", null), 400, "INVALID", "name");
        refused(gateway.call("GET /v1/elections", "/v1/elections?name=x", null), 400, "INVALID", "name", "'/'");
    }

    @Test
    void aTokenIsCurrentWhileItsHoldIs() throws Exception {
        String check = "POST /v1/tokens/check";
        try (HoldfastClient client = gateway.client();
                LockHold hold = client.lock("/checked").acquire()) {
            String body = "{\"name\":\"/checked\",\"token\":" + hold.token().value() + "}";
            assertThat(map(gateway.call(check, "/v1/tokens/check", bytes(body))))
                    .containsEntry("current", true);
            hold.release();
            assertThat(map(gateway.call(check, "/v1/tokens/check", bytes(body))))
                    .containsEntry("current", false);
        }
        long token = acquire("{\"name\":\"leased\",\"owner\":\"o\"}");
        for (long each : new long[] {token, token + 1}) {
            String body = "{\"name\":\"leased\",\"token\":" + each + "}";
            assertThat(map(gateway.call(check, "/v1/tokens/check", bytes(body))))
                    .containsEntry("current", each == token);
        }
        refused(
                gateway.call(check, "/v1/tokens/check", bytes("{\"name\":\"/x/\",\"token\":1}")),
                400,
                "INVALID",
                "name");
        refused(gateway.call(check, "/v1/tokens/check", new byte[20_000]), 413, "TOO_LARGE");
    }

    // ---- leased locks

    private static long acquire(String body) {
        HttpResponse<byte[]> response = gateway.call(ACQUIRE, "/v1/leases/acquire", bytes(body));
        assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
        return ((Number) map(response).get("token")).longValue();
    }

    private static HttpResponse<byte[]> claim(String operation, String name, String owner, long token) {
        String body = "{\"name\":\"" + name + "\",\"owner\":\"" + owner + "\",\"token\":" + token + "}";
        return gateway.call(operation, operation.substring("POST ".length()), bytes(body));
    }

    @Test
    void aLeaseIsTakenRenewedAndReleased() {
        HttpResponse<byte[]> granted =
                gateway.call(ACQUIRE, "/v1/leases/acquire", bytes("{\"name\":\"account/42\",\"owner\":\"w\"}"));
        assertThat(map(granted))
                .containsEntry("name", "account/42")
                .containsEntry("owner", "w")
                .containsEntry("leaseMillis", 10_000);
        long token = ((Number) map(granted).get("token")).longValue();

        HttpResponse<byte[]> held =
                gateway.call(ACQUIRE, "/v1/leases/acquire", bytes("{\"name\":\"account/42\",\"owner\":\"w\"}"));
        refused(held, 409, "HELD");
        assertThat(map(held)).containsEntry("retryAfterMillis", 10_000);
        assertThat(header(held, "Retry-After")).isEqualTo("10");

        gateway.leases.advance(4_000);
        assertThat(map(gateway.call(INSPECT, "/v1/leases?name=account/42", null)))
                .containsEntry("owner", "w")
                .containsEntry("remainingMillis", 6_000)
                .containsKey("shard");
        assertThat(map(claim(RENEW, "account/42", "w", token))).containsEntry("leaseMillis", 10_000);
        refused(claim(RENEW, "account/42", "other", token), 410, "LOST");
        refused(claim(RENEW, "account/42", "w", token + 1), 410, "LOST");
        refused(claim(RELEASE, "account/42", "w", token + 1), 410, "LOST");
        assertThat(claim(RELEASE, "account/42", "w", token).statusCode()).isEqualTo(200);
        assertThat(text(claim(RELEASE, "account/42", "w", token)).strip()).isEqualTo("{}");
        refused(claim(RENEW, "account/42", "w", token), 410, "LOST");
        refused(gateway.call(INSPECT, "/v1/leases?name=account%2F42", null), 404, "NOT_FOUND", "account/42");
    }

    @Test
    void aRepeatedRequestGetsTheSameGrant() {
        String body = "{\"name\":\"repeat\",\"owner\":\"w\",\"leaseMillis\":60000,\"requestId\":\"r-1\"}";
        assertThat(acquire(body)).isEqualTo(acquire(body));
        String other = body.replace("r-1", "r-2");
        refused(gateway.call(ACQUIRE, "/v1/leases/acquire", bytes(other)), 409, "HELD");
    }

    @Test
    void anExpiredLeaseGoesToTheNextWithAHigherToken() {
        long first = acquire("{\"name\":\"expire\",\"owner\":\"a\",\"leaseMillis\":1000}");
        gateway.leases.advance(1_000);
        assertThat(acquire("{\"name\":\"expire\",\"owner\":\"b\"}")).isGreaterThan(first);
        refused(claim(RENEW, "expire", "a", first), 410, "LOST");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "| body",
                "[] | body",
                "nonsense | body",
                "{\"name\":\"n\",\"owner\":\"o\"} {} | body",
                "{\"name\":\"n\",\"name\":\"n\",\"owner\":\"o\"} | name",
                "{\"owner\":\"o\"} | name",
                "{\"name\":\"n\"} | owner",
                "{\"name\":\"\",\"owner\":\"o\"} | name",
                "{\"name\":\"/n\",\"owner\":\"o\"} | name",
                "{\"name\":7,\"owner\":\"o\"} | name",
                "{\"name\":null,\"owner\":\"o\"} | name",
                "{\"name\":\"a\\nb\",\"owner\":\"o\"} | name",
                "{\"name\":\"\\ud800\",\"owner\":\"o\"} | name",
                "{\"name\":\"n\",\"owner\":\"\"} | owner",
                "{\"name\":\"n\",\"owner\":\"o\",\"leaseMillis\":999} | leaseMillis",
                "{\"name\":\"n\",\"owner\":\"o\",\"leaseMillis\":60001} | leaseMillis",
                "{\"name\":\"n\",\"owner\":\"o\",\"leaseMillis\":\"10000\"} | leaseMillis",
                "{\"name\":\"n\",\"owner\":\"o\",\"leaseMillis\":1.5} | leaseMillis",
                "{\"name\":\"n\",\"owner\":\"o\",\"leaseMillis\":1e999} | leaseMillis",
                "{\"name\":\"n\",\"owner\":\"o\",\"leaseMillis\":null} | leaseMillis",
                "{\"name\":\"n\",\"owner\":\"o\",\"requestId\":\"\"} | requestId",
                "{\"name\":\"n\",\"owner\":\"o\",\"requestId\":[]} | requestId",
                "{\"name\":\"n\",\"owner\":\"o\",\"ttl\":5} | ttl",
            })
    void aBadWishIsNamed(String body, String field) {
        HttpResponse<byte[]> response = gateway.call(ACQUIRE, "/v1/leases/acquire", bytes(body == null ? "" : body));
        refused(response, 400, "INVALID", field);
    }

    @Test
    void namesHaveLimits() {
        String longest = "é".repeat(256);
        acquire("{\"name\":\"" + longest + "\",\"owner\":\"" + longest + "\",\"leaseMillis\":1000}");
        for (String field : List.of("name", "owner")) {
            String body = "{\"name\":\"n\",\"owner\":\"o\"}"
                    .replace("\"" + field + "\":\"" + field.charAt(0) + "\"", "\"" + field + "\":\"" + longest + "x\"");
            refused(gateway.call(ACQUIRE, "/v1/leases/acquire", bytes(body)), 400, "INVALID", field, "513", "512");
        }
        String id = "{\"name\":\"id\",\"owner\":\"o\",\"requestId\":\"" + "r".repeat(129) + "\"}";
        refused(gateway.call(ACQUIRE, "/v1/leases/acquire", bytes(id)), 400, "INVALID", "requestId", "128");
        refused(gateway.call(INSPECT, "/v1/leases", null), 400, "INVALID", "name");
        refused(gateway.call(INSPECT, "/v1/leases?name=/x", null), 400, "INVALID", "name");
    }

    @ParameterizedTest
    @ValueSource(strings = {RENEW, RELEASE})
    void aBadClaimIsNamed(String operation) {
        String path = operation.substring("POST ".length());
        refused(gateway.call(operation, path, bytes("{\"name\":\"n\",\"owner\":\"o\"}")), 400, "INVALID", "token");
        String quoted = "{\"name\":\"n\",\"owner\":\"o\",\"token\":\"1\"}";
        refused(gateway.call(operation, path, bytes(quoted)), 400, "INVALID", "token");
        String huge = "{\"name\":\"n\",\"owner\":\"o\",\"token\":9223372036854775808}";
        refused(gateway.call(operation, path, bytes(huge)), 400, "INVALID", "token");
        String largest = "{\"name\":\"n\",\"owner\":\"o\",\"token\":9223372036854775807}";
        refused(gateway.call(operation, path, bytes(largest)), 410, "LOST");
        refused(gateway.call(operation, path, new byte[20_000]), 413, "TOO_LARGE");
        refused(gateway.call(ACQUIRE, "/v1/leases/acquire", new byte[20_000]), 413, "TOO_LARGE");
    }

    @Test
    void anAcquireThatIsNotAnsweredIsUnknown() {
        gateway.leases.answerAfter(CompletableFuture.failedFuture(new Unanswered()));
        HttpResponse<byte[]> response =
                gateway.call(ACQUIRE, "/v1/leases/acquire", bytes("{\"name\":\"unknown\",\"owner\":\"o\"}"));
        refused(response, 503, "UNAVAILABLE");
        assertThat(map(response)).containsEntry("outcome", "unknown");
        assertThat(header(response, "Retry-After")).isEqualTo("1");
    }

    @Test
    void aRequestEndsWithItsTimeWhateverTheCellDoes() {
        gateway.leases.answerAfter(new CompletableFuture<>());
        String path = "?timeoutMillis=50";
        HttpResponse<byte[]> change =
                gateway.call(ACQUIRE, "/v1/leases/acquire" + path, bytes("{\"name\":\"late\",\"owner\":\"o\"}"));
        assertThat(map(change)).containsEntry("outcome", "unknown");
        HttpResponse<byte[]> question = gateway.call(INSPECT, "/v1/leases" + path + "&name=late", null);
        assertThat(map(question)).containsEntry("outcome", "definite");
    }

    private static final class Unanswered extends HoldfastException {
        private static final long serialVersionUID = 1L;

        Unanswered() {
            super("UNKNOWN_OUTCOME", Outcome.UNKNOWN, "no answer");
        }
    }

    // ---- everything

    @Test
    void healthDoesNotNeedTheCellAndReadinessDoes() throws Exception {
        for (HttpEndpoint each : List.of(gateway.endpoint, gateway.unformed)) {
            assertThat(gateway.call(each, "GET /livez", "/livez", null).statusCode())
                    .isEqualTo(200);
            assertThat(gateway.call(each, "GET /metrics", "/metrics", null).statusCode())
                    .isEqualTo(200);
        }
        assertThat(gateway.call("GET /readyz", "/readyz", null).statusCode()).isEqualTo(200);
        try (HttpEndpoint cut = HttpEndpoint.start("127.0.0.1", 0, () -> "", HttpEndpoint.NOT_FORMED)) {
            cut.serve(HoldfastClient.connect("127.0.0.1:" + GatewayFixture.deadPort()), 20);
            HttpResponse<byte[]> ready = gateway.call(cut, "GET /readyz", "/readyz?timeoutMillis=50", null);
            refused(ready, 503, "UNAVAILABLE");
            HttpResponse<byte[]> written =
                    gateway.call(cut, "PUT " + VALUES, "/v1/values/x?timeoutMillis=50", bytes("x"));
            refused(written, 503, "UNAVAILABLE");
            assertThat(map(written)).containsEntry("outcome", "definite");
            assertThat(header(written, "Retry-After")).isEqualTo("1");
            assertThat(gateway.call(cut, "GET /livez", "/livez", null).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void beforeTheCellIsFormedWhateverNeedsItIsUnavailable() {
        gateway.spec.operations().forEach((name, operation) -> {
            if (operation.get("responses").has("503")) {
                String path = name.substring(name.indexOf(' ') + 1).replace("{path}", "x");
                String query = path.equals("/v1/leases") ? "?name=n" : path.equals("/v1/elections") ? "?name=/n" : "";
                byte[] body = name.startsWith("POST") ? bytes(bodyFor(path)) : null;
                HttpResponse<byte[]> response = gateway.call(gateway.unformed, name, path + query, body);
                refused(response, 503, "UNAVAILABLE", "not formed");
                assertThat(map(response)).containsEntry("outcome", "definite");
                assertThat(header(response, "Retry-After")).isEqualTo("1");
            }
        });
    }

    private static String bodyFor(String path) {
        return switch (path) {
            case "/v1/leases/acquire" -> "{\"name\":\"n\",\"owner\":\"o\"}";
            case "/v1/tokens/check" -> "{\"name\":\"/n\",\"token\":1}";
            default -> "{\"name\":\"n\",\"owner\":\"o\",\"token\":1}";
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "60001", "x", "", "9999999999999999999"})
    void aBadTimeoutIsNamed(String timeout) {
        gateway.spec.operations().forEach((name, operation) -> {
            String path = name.substring(name.indexOf(' ') + 1).replace("{path}", "x");
            refused(gateway.call(name, path + "?timeoutMillis=" + timeout, null), 400, "INVALID", "timeoutMillis");
        });
    }

    @Test
    void aParameterThatNobodyKnowsIsNamed() {
        refused(gateway.call("GET /v1/locks", "/v1/locks?prefx=/x", null), 400, "INVALID", "prefx");
        refused(
                gateway.call("GET /v1/locks", "/v1/locks?prefix=/x&prefix=/y", null),
                400,
                "INVALID",
                "prefix",
                "twice");
        refused(gateway.call("GET /v1/locks", "/v1/locks?prefix=x", null), 400, "INVALID", "prefix");
        refused(gateway.call("GET /v1/locks", "/v1/locks?prefix=%ff", null), 400, "INVALID", "prefix");
    }

    @Test
    void whatIsNotThereIsSaidInJson() {
        for (String path : List.of("/", "/v1", "/v1/nothing", "/livez/", "/LIVEZ", "/v1/values", "/v2/cell")) {
            refused(gateway.send("GET", path, null), 404, "NOT_FOUND", path);
        }
    }

    @Test
    void anotherMethodIsToldWhichAreAllowed() {
        HttpResponse<byte[]> response = gateway.send("POST", "/v1/values/x", bytes("x"));
        refused(response, 405, "METHOD_NOT_ALLOWED");
        assertThat(header(response, "Allow")).isEqualTo("DELETE, GET, HEAD, PUT");
        assertThat(header(gateway.send("GET", "/v1/leases/acquire", null), "Allow"))
                .isEqualTo("POST");
        for (String method : List.of("OPTIONS", "PATCH", "TRACE", "STRANGE", "lower")) {
            refused(gateway.send(method, "/v1/cell", null), 405, "METHOD_NOT_ALLOWED");
        }
        put("/override", "x");
        gateway.send("GET", "/v1/values/override", null, "X-HTTP-Method-Override", "DELETE");
        assertThat(get("/override").statusCode()).isEqualTo(200);
    }

    @Test
    void aPageOfAnotherOriginMayNotChangeAnything() {
        put("/origin", "x");
        refused(
                gateway.send("PUT", "/v1/values/origin", bytes("y"), "Origin", "http://evil.example"),
                403,
                "FORBIDDEN");
        assertThat(gateway.send("PUT", "/v1/values/origin", bytes("y"), "Origin", gateway.base())
                        .statusCode())
                .isEqualTo(200);
    }

    // ---- the description

    @Test
    void theDescriptionIsValidOpenApi() {
        gateway.call("GET /openapi.json", "/openapi.json", null);
        assertThat(gateway.spec.document().get("openapi").textValue()).startsWith("3.1.");
        assertThat(gateway.spec.violations()).isEmpty();
        assertThat(gateway.spec.violationsOfSchemas()).isEmpty();
        gateway.spec.examplesFit();
    }

    @Test
    void everyRouteIsDescribedWithItsParametersAndNothingElseIs() {
        Map<String, TreeSet<String>> routes = gateway.endpoint.routes().routes().stream()
                .collect(Collectors.toMap(
                        route -> route.method() + " " + route.path(), route -> new TreeSet<>(route.parameters())));
        assertThat(gateway.spec.operations().keySet()).containsExactlyInAnyOrderElementsOf(routes.keySet());
        routes.forEach((name, parameters) -> {
            parameters.add(Call.TIMEOUT_PARAMETER);
            assertThat(gateway.spec.queryParameters(name)).as(name).isEqualTo(parameters);
        });
    }

    /** After all others: what is described was really answered. */
    @Test
    @Order(Integer.MAX_VALUE)
    void everyDescribedAnswerWasSeen() {
        assertThat(gateway.spec.unseen()).isEmpty();
    }
}
