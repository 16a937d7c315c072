/**
 * The client's half of the safety argument, without clock, thread or socket: session states, the local lease, exactly-once
 * requests, and locks with what the client may believe about them.
 *
 * <p>Start at {@link io.holdfast.client.session.SessionMachine}: it takes a {@link io.holdfast.client.session.SessionEvent}
 * and the monotonic time, and answers with {@link io.holdfast.client.session.SessionAction}s. What an application may believe
 * lies in {@link io.holdfast.client.session.Hold} and {@link io.holdfast.client.session.Trust}. The simulation runs these very
 * classes.
 *
 * <p>Must not import: clocks, threads, executors, random generators, sockets, gRPC, generated protobuf types.
 */
@NullMarked
package io.holdfast.client.session;

import org.jspecify.annotations.NullMarked;
