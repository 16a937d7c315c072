package io.holdfast.cell.planted.a;

import io.holdfast.cell.planted.b.CycleB;

/** Half of a package cycle. */
public final class CycleA {
    public Class<?> other() {
        return CycleB.class;
    }
}
