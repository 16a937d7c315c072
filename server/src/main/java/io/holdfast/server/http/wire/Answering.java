package io.holdfast.server.http.wire;

import java.util.concurrent.CompletableFuture;

/** Answers the calls of one route. Must not block; fails or throws with a {@link Problem} or what its server can turn into one. */
@FunctionalInterface
public interface Answering {
    CompletableFuture<Reply> answer(Call call);
}
