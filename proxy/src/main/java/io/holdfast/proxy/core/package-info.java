/**
 * The front end as a pure state machine: many client streams in, one link to the present leader out.
 *
 * <p>Start at {@link io.holdfast.proxy.core.FrontEnd}. It is told what happens and what time it is, and says through {@link
 * io.holdfast.proxy.core.FrontEnd.Output} what is to be done. Every replica runs one in its process; a proxy is the same
 * code elsewhere.
 *
 * <p>Must not import: anything but {@code java.lang}, {@code java.util} collections, the model and the frames. No clock, no
 * thread, no executor.
 */
@NullMarked
package io.holdfast.proxy.core;

import org.jspecify.annotations.NullMarked;
