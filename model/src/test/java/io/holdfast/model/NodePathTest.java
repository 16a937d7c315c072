package io.holdfast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is a path, and in which order paths come. */
final class NodePathTest {
    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", "/a/b", "/...", "/.a", "/a.", "/a b", "/ü/€/😀", "/..a/b.."})
    void goodPaths(String path) {
        assertThat(NodePath.problemWith(path)).isNull();
        assertThat(new NodePath(path)).hasToString(path);
    }

    @ParameterizedTest
    @CsvSource({
        "'', must start",
        "a, must start",
        "//, empty segment",
        "/a//b, empty segment",
        "/a/, must not end",
        "/., segment '.'",
        "/a/../b, segment '..'",
        "/a/.., segment '..'"
    })
    void badPaths(String path, String problem) {
        assertThat(NodePath.problemWith(path)).contains(problem);
        assertThatThrownBy(() -> new NodePath(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void controlCharactersAndLoneSurrogatesAreBad() {
        assertThat(NodePath.problemWith("/a\nb")).contains("control character at position 2");
        assertThat(NodePath.problemWith("/\u0000")).contains("control");
        assertThat(NodePath.problemWith("/\u0085")).contains("control");
        assertThat(NodePath.problemWith("/\ud800")).contains("Unicode");
        assertThat(NodePath.problemWith("/\ud800a")).contains("Unicode");
        assertThat(NodePath.problemWith("/\udc00")).contains("Unicode");
    }

    /** The limit is one of bytes, at the edge for characters of one to four bytes. */
    @Test
    void theLengthIsLimitedInBytes() {
        for (String character : List.of("a", "é", "€", "😀")) {
            int bytes = character.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
            String fits = "/" + character.repeat(1_023 / bytes);
            assertThat(NodePath.problemWith(fits)).isNull();
            assertThat(NodePath.problemWith(fits + character)).contains("1024 bytes");
        }
    }

    @Test
    void partsOfAPath() {
        NodePath path = new NodePath("/a/b");
        assertThat(path.parent()).isEqualTo(new NodePath("/a"));
        assertThat(new NodePath("/a").parent()).isEqualTo(NodePath.ROOT);
        assertThat(NodePath.ROOT.parent()).isNull();
        assertThat(path.name()).isEqualTo("b");
        assertThat(NodePath.ROOT.name()).isEmpty();
        assertThat(NodePath.ROOT.child("a").child("b")).isEqualTo(path);
        assertThat(NodePath.ROOT.isAncestorOf(path)).isTrue();
        assertThat(new NodePath("/a").isAncestorOf(path)).isTrue();
        assertThat(path.isAncestorOf(path)).isFalse();
        assertThat(new NodePath("/a").isAncestorOf(new NodePath("/ab"))).isFalse();
    }

    /** A subtree is one contiguous range that begins with its top. */
    @Test
    void sortedPathsKeepSubtreesTogether() {
        Random random = new Random(3);
        String[] names = {"a", "a!", "a-", "ab", "b", "é", "a b", "0"};
        List<NodePath> paths = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            StringBuilder path = new StringBuilder();
            for (int depth = random.nextInt(4); depth >= 0; depth--) {
                path.append('/').append(names[random.nextInt(names.length)]);
            }
            paths.add(new NodePath(path.toString()));
        }
        Collections.sort(paths);
        for (NodePath top : paths) {
            boolean inside = false;
            boolean left = false;
            for (NodePath path : paths) {
                boolean belongs = path.equals(top) || top.isAncestorOf(path);
                assertThat(belongs && left).isFalse();
                left |= inside && !belongs;
                inside |= belongs;
            }
        }
    }
}
