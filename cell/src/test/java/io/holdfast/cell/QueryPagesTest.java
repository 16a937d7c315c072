package io.holdfast.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Answer;
import io.holdfast.model.LockMode;
import io.holdfast.model.NodePath;
import io.holdfast.model.Operation;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Long lists come in pages that fit into a message (R8.4, C99, C107). */
final class QueryPagesTest {
    private final TestCell cell = new TestCell();

    private List<String> children(String path, int limit) {
        List<String> names = new ArrayList<>();
        boolean more = true;
        while (more) {
            String after = names.isEmpty() ? "" : names.get(names.size() - 1);
            Answer.Children page =
                    (Answer.Children) cell.machine().query(new Query.ListChildren(new NodePath(path), after, limit));
            names.addAll(page.names());
            more = page.more();
        }
        return names;
    }

    @Test
    void childrenComeInNameOrderWithoutWhatLiesBelowThem() {
        for (String path : List.of("/p/b/x", "/p/b/y/z", "/p/b-", "/p/a", "/p/c", "/p/b b", "/pp", "/p/é")) {
            cell.put(path, "");
        }
        assertThat(children("/p", 1)).containsExactly("a", "b", "b b", "b-", "c", "é");
        assertThat(children("/p", 1_000)).containsExactly("a", "b", "b b", "b-", "c", "é");
        assertThat(children("/", 3)).containsExactly("p", "pp");
        assertThat(children("/p/a", 3)).isEmpty();
        Answer.Children after =
                (Answer.Children) cell.machine().query(new Query.ListChildren(new NodePath("/p"), "b!", 9));
        assertThat(after.names()).containsExactly("b-", "c", "é");
    }

    @Test
    void largeFoldersAreListedInPages() {
        for (int i = 0; i < 5_000; i++) {
            cell.put("/p/" + "n".repeat(250) + i, "");
            cell.put("/p/" + "n".repeat(250) + i + "/below", "");
        }
        Answer.Children page =
                (Answer.Children) cell.machine().query(new Query.ListChildren(new NodePath("/p"), "", 1_000));
        assertThat(page.names()).hasSize(1_000);
        assertThat(page.more()).isTrue();
        assertThat(children("/p", 1_000)).hasSize(5_000).doesNotHaveDuplicates();
    }

    @Test
    void aPageOfLargeValuesEndsBeforeItIsTooLargeForAMessage() {
        SessionId session = cell.open();
        byte[] value = new byte[65_536];
        for (int i = 0; i < 30; i++) {
            cell.perform(session, new Operation.Acquire(new NodePath("/l/" + i % 3), LockMode.SHARED, false, 0, value));
        }
        NodePath after = NodePath.ROOT;
        List<Answer.PlaceInfo> all = new ArrayList<>();
        boolean more = true;
        while (more) {
            Answer.Places page =
                    (Answer.Places) cell.machine().query(new Query.ListPlaces(new NodePath("/l"), after, 1_000));
            assertThat(page.places()).hasSizeBetween(1, 9);
            all.addAll(page.places());
            after = all.get(all.size() - 1).place();
            more = page.more();
        }
        assertThat(all).hasSize(30);
        assertThat(all.stream().map(p -> p.lock().value() + " " + p.token()).toList())
                .isSortedAccordingTo((a, b) -> a.split(" ")[0].equals(b.split(" ")[0])
                        ? Long.compare(Long.parseLong(a.split(" ")[1]), Long.parseLong(b.split(" ")[1]))
                        : a.compareTo(b));
    }

    @Test
    void placesAreThoseAtAndBelowThePrefix() {
        SessionId session = cell.open("me");
        cell.exclusive(session, "/a/b");
        cell.shared(session, "/a");
        cell.exclusive(session, "/a");
        cell.exclusive(session, "/ab");
        assertThat(cell.places("/a").stream().map(p -> p.place().value().replaceAll("0{3,}", "")))
                .containsExactly("/a/s-3", "/a/x-4", "/a/b/x-2");
        assertThat(cell.places("/a/b")).singleElement().satisfies(p -> {
            assertThat(p.lock()).isEqualTo(new NodePath("/a/b"));
            assertThat(p.mode()).isEqualTo(LockMode.EXCLUSIVE);
            assertThat(p.held()).isTrue();
            assertThat(p.session()).isEqualTo(session);
            assertThat(p.clientName()).isEqualTo("me");
            assertThat(p.sinceWallMillis()).isEqualTo(1_000);
        });
        assertThat(cell.places("/none")).isEmpty();
        assertThat(cell.places("/")).hasSize(4);
    }

    @Test
    void sessionsComeInPagesById() {
        List<SessionId> opened = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            opened.add(cell.open("client" + i));
        }
        cell.ephemeral(opened.get(3), "/e");
        List<Answer.SessionInfo> all = new ArrayList<>();
        SessionId after = new SessionId(0);
        boolean more = true;
        while (more) {
            Answer.Sessions page = (Answer.Sessions) cell.machine().query(new Query.ListSessions(after, 10));
            all.addAll(page.sessions());
            after = all.get(all.size() - 1).session();
            more = page.more();
        }
        assertThat(all.stream().map(Answer.SessionInfo::session)).isEqualTo(opened);
        assertThat(all.get(3).nodes()).isEqualTo(1);
        assertThat(all.get(3).clientName()).isEqualTo("client3");
        assertThat(all.get(3).withLease(5, true, false))
                .isEqualTo(new Answer.SessionInfo(opened.get(3), "client3", 12_000, 5, 1_000, 1, true, false));
    }
}
