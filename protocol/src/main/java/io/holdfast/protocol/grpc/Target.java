package io.holdfast.protocol.grpc;

/** An address as gRPC wants it: a URI, in which the brackets and the zone of an IPv6 address must be escaped. */
public final class Target {
    private Target() {}

    /** @param address {@code host:port}; an IPv6 host in brackets */
    public static String of(String address) {
        return "dns:///" + address.replace("%", "%25").replace("[", "%5B").replace("]", "%5D");
    }
}
