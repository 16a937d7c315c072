package io.holdfast.server.http;

import io.holdfast.client.HoldfastClient;
import io.holdfast.server.http.leases.LeaseCalls;

/** Whom the gateway asks: nothing but what any other client of the cell could ask too. */
record Backend(HoldfastClient client, LeaseCalls leases) {}
