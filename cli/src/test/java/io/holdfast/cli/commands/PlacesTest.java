package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.cell.lock.PlaceName;
import io.holdfast.cli.support.Json;
import io.holdfast.model.Answer;
import io.holdfast.model.FencingToken;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.SessionId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@code locks} and {@code sessions} show of places. */
final class PlacesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Answer.PlaceInfo DELAYED = place("/a", LockMode.EXCLUSIVE, 4, null, false);
    private static final Answer.PlaceInfo WAITING = place("/a", LockMode.EXCLUSIVE, 5, 70L, false);
    private static final Answer.PlaceInfo READING = place("/b", LockMode.SHARED, 6, 70L, true);
    private static final Answer.PlaceInfo PERMIT = place("/c", LockMode.PERMIT, 7, 71L, true);
    private static final List<Answer.PlaceInfo> ALL = List.of(DELAYED, WAITING, READING, PERMIT);

    private static Answer.PlaceInfo place(
            String lock, LockMode mode, long number, @Nullable Long session, boolean held) {
        FencingToken token = new FencingToken(number);
        NodePath path = new NodePath(lock);
        return new Answer.PlaceInfo(
                path,
                path.child(PlaceName.of(mode, token)),
                token,
                mode,
                held,
                session == null ? null : new SessionId(session),
                session == null ? "" : "worker",
                0,
                new byte[0],
                mode == LockMode.PERMIT ? 3 : 0,
                false);
    }

    private static JsonNode written(Object value) throws Exception {
        return JSON.readTree(Json.write(value));
    }

    @Test
    void aLockDelayIsNeitherHeldNorWaitedIn() throws Exception {
        JsonNode lock = written(Places.byLock(ALL)).get(0);
        assertThat(lock.get("lock").asText()).isEqualTo("/a");
        assertThat(lock.get("holders")).isEmpty();
        assertThat(lock.get("delayed").get(0).get("token").asLong()).isEqualTo(4);
        assertThat(lock.get("delayed").get(0).get("session").isNull()).isTrue();
        assertThat(lock.get("waiters")).hasSize(1);
        assertThat(lock.get("waiters").get(0).get("session").asLong()).isEqualTo(70);

        List<List<String>> rows = Places.rows(ALL);
        assertThat(rows.get(1)).startsWith("/a", "delayed", "exclusive", "4", "-");
        assertThat(rows.get(2)).startsWith("/a", "waiting", "exclusive", "5", "70");
        assertThat(rows.get(3)).startsWith("/b", "held", "shared", "6", "70");
        assertThat(rows.get(4)).startsWith("/c", "held", "permit of 3", "7", "71");
    }

    @Test
    void whatIsBeingEndedSaysSoInEveryState() {
        assertThat(Places.rows(List.of(DELAYED.beingEnded())).get(1).get(1)).isEqualTo("delayed, ending");
        assertThat(Places.rows(List.of(READING.beingEnded())).get(1).get(1)).isEqualTo("held, ending");
    }

    @Test
    void eachSessionHasItsOwnPlacesAndALockDelayIsNobodys() throws Exception {
        OwnedPlaces owned = OwnedPlaces.of(ALL);
        assertThat(owned.heldBy(new SessionId(70))).containsExactly(READING);
        assertThat(owned.waitedForBy(new SessionId(70))).containsExactly(WAITING);
        assertThat(owned.heldBy(new SessionId(71))).containsExactly(PERMIT);
        assertThat(owned.waitedForBy(new SessionId(71))).isEmpty();
        assertThat(owned.heldBy(new SessionId(72))).isEmpty();
        assertThat(written(OwnedPlaces.documents(owned.waitedForBy(new SessionId(70)))))
                .isEqualTo(JSON.readTree("[{\"lock\":\"/a\",\"token\":5,\"mode\":\"exclusive\"}]"));
    }
}
