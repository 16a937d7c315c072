/**
 * How servers log: to standard error, one line for each event.
 *
 * <p>Start at {@link io.holdfast.server.logging.ServerLogging}. Must not import: anything else of the server.
 */
@NullMarked
package io.holdfast.server.logging;

import org.jspecify.annotations.NullMarked;
