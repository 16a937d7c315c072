package io.holdfast.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Text in columns: the first to the left, all others to the right. */
final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    Table(String... head) {
        rows.add(List.of(head));
    }

    void row(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(String.valueOf(cell));
        }
        rows.add(row);
    }

    void print() {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        System.out.println();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String padding = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? row.get(i) + padding : "  " + padding + row.get(i));
            }
            System.out.println(line.toString().stripTrailing());
        }
        System.out.println();
    }

    static String millis(double nanos) {
        return decimals(nanos / 1e6, 2);
    }

    static String millis(long nanos) {
        return millis((double) nanos);
    }

    static String micros(double nanos) {
        return decimals(nanos / 1e3, 0);
    }

    static String count(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    static String ratio(double value) {
        return Double.isNaN(value) || Double.isInfinite(value) ? "-" : decimals(value, 2) + "x";
    }

    static String decimals(double value, int digits) {
        return String.format(Locale.ROOT, "%,." + digits + "f", value);
    }
}
