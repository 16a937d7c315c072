/**
 * How loops of the service, the front end and the client get their turns on the network's thread.
 *
 * <p>Start at {@link io.holdfast.protocol.loop.Turns}.
 *
 * <p>Must not import: anything but the JDK.
 */
@NullMarked
package io.holdfast.protocol.loop;

import org.jspecify.annotations.NullMarked;
