package io.holdfast.cell.base;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted map: a change returns a new map that shares all but O(log n) of the old one. A snapshot of the
 * state is therefore a reference (issue 2, Build 4: without stalling apply).
 *
 * <p><b>Thread:</b> any; immutable.
 *
 * <p><b>Source:</b> weight-balanced trees with the parameters (3, 2) of Hirai and Yamamoto, <i>Balancing weight-balanced
 * trees</i>, JFP 21(3), 2011: proven to stay balanced under insertion and deletion.
 */
public final class PersistentMap<K extends Comparable<? super K>, V> implements Iterable<PersistentMap.Entry<K, V>> {
    private static final int DELTA = 3;
    private static final int RATIO = 2;

    private final @Nullable Entry<K, V> root;

    private PersistentMap(@Nullable Entry<K, V> root) {
        this.root = root;
    }

    public static <K extends Comparable<? super K>, V> PersistentMap<K, V> empty() {
        return new PersistentMap<>(null);
    }

    /** A key with its value. */
    public static final class Entry<K, V> {
        private final K key;
        private final V value;
        private final @Nullable Entry<K, V> left;
        private final @Nullable Entry<K, V> right;
        private final int size;

        private Entry(K key, V value, @Nullable Entry<K, V> left, @Nullable Entry<K, V> right) {
            this.key = key;
            this.value = value;
            this.left = left;
            this.right = right;
            this.size = sizeOf(left) + sizeOf(right) + 1;
        }

        public K key() {
            return key;
        }

        public V value() {
            return value;
        }
    }

    public int size() {
        return sizeOf(root);
    }

    public boolean isEmpty() {
        return root == null;
    }

    public @Nullable V get(K key) {
        Entry<K, V> entry = root;
        while (entry != null) {
            int order = key.compareTo(entry.key);
            if (order == 0) {
                return entry.value;
            }
            entry = order < 0 ? entry.left : entry.right;
        }
        return null;
    }

    /** The map with {@code key} mapped to {@code value}. */
    public PersistentMap<K, V> with(K key, V value) {
        return new PersistentMap<>(insert(root, key, value));
    }

    /** The map without {@code key}; this map if it has no such key. */
    public PersistentMap<K, V> without(K key) {
        return get(key) == null ? this : new PersistentMap<>(delete(root, key));
    }

    public @Nullable Entry<K, V> first() {
        Entry<K, V> entry = root;
        while (entry != null && entry.left != null) {
            entry = entry.left;
        }
        return entry;
    }

    /**
     * The first entry whose key lies at or beyond a point in the order.
     *
     * @param atOrAfter false for all keys before the point, true for all others
     */
    public @Nullable Entry<K, V> first(Predicate<? super K> atOrAfter) {
        Entry<K, V> found = null;
        Entry<K, V> entry = root;
        while (entry != null) {
            if (atOrAfter.test(entry.key)) {
                found = entry;
                entry = entry.left;
            } else {
                entry = entry.right;
            }
        }
        return found;
    }

    /** All entries in key order. */
    @Override
    public Iterator<Entry<K, V>> iterator() {
        return new InOrder<>(root, key -> true);
    }

    /** The entries from a point in the order on; {@code atOrAfter} as in {@link #first(Predicate)}. */
    public Iterator<Entry<K, V>> iteratorFrom(Predicate<? super K> atOrAfter) {
        return new InOrder<>(root, atOrAfter);
    }

    private static <K, V> int sizeOf(@Nullable Entry<K, V> entry) {
        return entry == null ? 0 : entry.size;
    }

    private static <K extends Comparable<? super K>, V> Entry<K, V> insert(
            @Nullable Entry<K, V> entry, K key, V value) {
        if (entry == null) {
            return new Entry<>(key, value, null, null);
        }
        int order = key.compareTo(entry.key);
        if (order == 0) {
            return new Entry<>(key, value, entry.left, entry.right);
        }
        return order < 0
                ? balanced(entry, insert(entry.left, key, value), entry.right)
                : balanced(entry, entry.left, insert(entry.right, key, value));
    }

    private static <K extends Comparable<? super K>, V> @Nullable Entry<K, V> delete(
            @Nullable Entry<K, V> entry, K key) {
        if (entry == null) {
            return null;
        }
        int order = key.compareTo(entry.key);
        if (order < 0) {
            return balanced(entry, delete(entry.left, key), entry.right);
        }
        return order > 0 ? balanced(entry, entry.left, delete(entry.right, key)) : joined(entry.left, entry.right);
    }

    /** One tree of two whose keys do not overlap and whose sizes were balanced. */
    private static <K, V> @Nullable Entry<K, V> joined(@Nullable Entry<K, V> left, @Nullable Entry<K, V> right) {
        if (left == null) {
            return right;
        }
        if (right == null) {
            return left;
        }
        if (left.size > right.size) {
            Entry<K, V> last = left;
            while (last.right != null) {
                last = last.right;
            }
            return balanced(last, withoutLast(left), right);
        }
        Entry<K, V> first = right;
        while (first.left != null) {
            first = first.left;
        }
        return balanced(first, left, withoutFirst(right));
    }

    private static <K, V> @Nullable Entry<K, V> withoutFirst(Entry<K, V> entry) {
        return entry.left == null ? entry.right : balanced(entry, withoutFirst(entry.left), entry.right);
    }

    private static <K, V> @Nullable Entry<K, V> withoutLast(Entry<K, V> entry) {
        return entry.right == null ? entry.left : balanced(entry, entry.left, withoutLast(entry.right));
    }

    /** The middle's key and value over two subtrees, one of which may have changed by one entry. */
    private static <K, V> Entry<K, V> balanced(
            Entry<K, V> middle, @Nullable Entry<K, V> left, @Nullable Entry<K, V> right) {
        int leftSize = sizeOf(left);
        int rightSize = sizeOf(right);
        if (leftSize + rightSize > 1) {
            if (right != null && rightSize > DELTA * leftSize) {
                return rotatedLeft(middle, left, right);
            }
            if (left != null && leftSize > DELTA * rightSize) {
                return rotatedRight(middle, left, right);
            }
        }
        return over(middle, left, right);
    }

    private static <K, V> Entry<K, V> rotatedLeft(Entry<K, V> middle, @Nullable Entry<K, V> left, Entry<K, V> right) {
        Entry<K, V> inner = right.left;
        if (inner == null || inner.size < RATIO * sizeOf(right.right)) {
            return over(right, over(middle, left, inner), right.right);
        }
        return over(inner, over(middle, left, inner.left), over(right, inner.right, right.right));
    }

    private static <K, V> Entry<K, V> rotatedRight(Entry<K, V> middle, Entry<K, V> left, @Nullable Entry<K, V> right) {
        Entry<K, V> inner = left.right;
        if (inner == null || inner.size < RATIO * sizeOf(left.left)) {
            return over(left, left.left, over(middle, inner, right));
        }
        return over(inner, over(left, left.left, inner.left), over(middle, inner.right, right));
    }

    private static <K, V> Entry<K, V> over(
            Entry<K, V> middle, @Nullable Entry<K, V> left, @Nullable Entry<K, V> right) {
        return new Entry<>(middle.key, middle.value, left, right);
    }

    private static final class InOrder<K, V> implements Iterator<Entry<K, V>> {
        private final ArrayDeque<Entry<K, V>> pending = new ArrayDeque<>();

        InOrder(@Nullable Entry<K, V> root, Predicate<? super K> atOrAfter) {
            Entry<K, V> entry = root;
            while (entry != null) {
                if (atOrAfter.test(entry.key)) {
                    pending.push(entry);
                    entry = entry.left;
                } else {
                    entry = entry.right;
                }
            }
        }

        @Override
        public boolean hasNext() {
            return !pending.isEmpty();
        }

        @Override
        public Entry<K, V> next() {
            if (pending.isEmpty()) {
                throw new NoSuchElementException();
            }
            Entry<K, V> next = pending.pop();
            for (Entry<K, V> entry = next.right; entry != null; entry = entry.left) {
                pending.push(entry);
            }
            return next;
        }
    }
}
