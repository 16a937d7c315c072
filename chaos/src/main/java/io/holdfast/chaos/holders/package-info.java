/**
 * Sessions that hold a lock each and keep it, in processes of their own, and those who wait behind them.
 *
 * <p>Start at {@link io.holdfast.chaos.holders.HoldersMain}. Must not import: the programs that use it.
 */
@NullMarked
package io.holdfast.chaos.holders;

import org.jspecify.annotations.NullMarked;
