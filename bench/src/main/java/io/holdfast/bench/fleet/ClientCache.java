package io.holdfast.bench.fleet;

import io.holdfast.client.HoldfastClientBuilder;

/** Sets the size of a client's cache, if the client library has one. */
final class ClientCache {
    private ClientCache() {}

    /**
     * @param bytes 0 for none
     * @return whether the library knows caches at all
     */
    static boolean set(HoldfastClientBuilder builder, long bytes) {
        try {
            HoldfastClientBuilder.class.getMethod("cache", long.class).invoke(builder, bytes);
            return true;
        } catch (NoSuchMethodException noCache) {
            return false;
        } catch (ReflectiveOperationException refused) {
            throw new IllegalStateException(
                    "a cache of " + bytes + " bytes was refused: " + refused.getCause(), refused);
        }
    }
}
