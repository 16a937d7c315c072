package io.holdfast.cell.base;

/** What things take on the heap, for the state's byte limit: a pure function of the content, so equal on every replica. */
public final class HeapSize {
    private static final int STRING_OVERHEAD = 48;

    private HeapSize() {}

    /** A string with its array: two bytes a character as soon as one character needs them. */
    public static long of(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0xff) {
                return STRING_OVERHEAD + 2L * text.length();
            }
        }
        return STRING_OVERHEAD + text.length();
    }
}
