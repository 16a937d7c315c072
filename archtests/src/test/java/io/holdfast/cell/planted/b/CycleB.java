package io.holdfast.cell.planted.b;

import io.holdfast.cell.planted.a.CycleA;

/** The other half of a package cycle. */
public final class CycleB {
    public Class<?> other() {
        return CycleA.class;
    }
}
