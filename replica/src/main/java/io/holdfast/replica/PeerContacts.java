package io.holdfast.replica;

import io.holdfast.raft.ReplicaId;
import io.holdfast.storage.CellId;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * When each peer was last heard and what it said of itself: for display, and for where leads are better handed to.
 *
 * <p><b>Thread:</b> the loop. <b>Invariant:</b> bounded by {@link #MAX_PEERS} peers and the cells they report.
 */
final class PeerContacts {
    private static final int MAX_PEERS = 64;

    private static final class Contact {
        long heardNanos;
        boolean refusesLeads;
        final Map<CellId, CellReport> reports = new TreeMap<>();
    }

    private final Map<ReplicaId, Contact> contacts = new TreeMap<>();

    void heard(ReplicaId peer, long nowNanos) {
        Contact contact = contacts.get(peer);
        if (contact == null) {
            if (contacts.size() >= MAX_PEERS) {
                return;
            }
            contact = new Contact();
            contacts.put(peer, contact);
        }
        contact.heardNanos = nowNanos;
    }

    void reported(ReplicaId peer, CellReport report) {
        Contact contact = contacts.get(peer);
        if (contact != null) {
            contact.reports.put(report.cell(), report);
        }
    }

    void refusesLeads(ReplicaId peer, boolean refuses) {
        Contact contact = contacts.get(peer);
        if (contact != null) {
            contact.refusesLeads = refuses;
        }
    }

    /** Peers that were heard lately and take leads. */
    SortedSet<ReplicaId> takers(long nowNanos, long withinNanos) {
        SortedSet<ReplicaId> takers = new TreeSet<>();
        contacts.forEach((peer, contact) -> {
            if (!contact.refusesLeads && nowNanos - contact.heardNanos <= withinNanos) {
                takers.add(peer);
            }
        });
        return takers;
    }

    boolean isReachable(ReplicaId peer, long nowNanos, long withinNanos) {
        Contact contact = contacts.get(peer);
        return contact != null && nowNanos - contact.heardNanos <= withinNanos;
    }

    @Nullable
    CellReport reportOf(ReplicaId peer, CellId cell) {
        Contact contact = contacts.get(peer);
        return contact == null ? null : contact.reports.get(cell);
    }

    /** The connection was closed by the peer's side. */
    void closed(String name) {
        contacts.keySet().removeIf(peer -> peer.name().equals(name));
    }
}
