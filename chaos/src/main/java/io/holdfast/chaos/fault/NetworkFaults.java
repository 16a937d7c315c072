package io.holdfast.chaos.fault;

import io.holdfast.chaos.net.Firewall;
import io.holdfast.chaos.net.Firewall.Cut;
import io.holdfast.chaos.net.Relay;
import io.holdfast.chaos.net.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Cuts in the network, and what the relays do. */
final class NetworkFaults {
    private NetworkFaults() {}

    /** Packets of chosen senders to chosen receivers vanish. */
    record NetworkCut(Firewall firewall, String target, Set<Cut> cuts, Set<String> hitSessions, Set<String> impaired)
            implements Fault {
        @Override
        public void begin() {
            firewall.cut(this, cuts);
        }

        @Override
        public boolean end() {
            return firewall.mend(this) > 0;
        }
    }

    /** A cut that comes and goes (C84). */
    static final class Flapping implements Fault {
        private static final long HALF_PERIOD_MILLIS = 2_000;

        private final NetworkCut cut;
        private @Nullable Thread flapper;
        private volatile boolean over;
        /** Written by the flapper. */
        private volatile boolean effect;

        Flapping(NetworkCut cut) {
            this.cut = cut;
        }

        @Override
        public String target() {
            return cut.target();
        }

        @Override
        public Set<String> impaired() {
            return cut.impaired();
        }

        @Override
        public void begin() {
            flapper = new Thread(this::flap, "chaos-flapping");
            flapper.setDaemon(true);
            flapper.start();
        }

        private void flap() {
            while (!over) {
                cut.begin();
                pause();
                effect |= cut.end();
                pause();
            }
        }

        private void pause() {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(HALF_PERIOD_MILLIS);
            try {
                while (!over && System.nanoTime() < end) {
                    TimeUnit.MILLISECONDS.sleep(50);
                }
            } catch (InterruptedException interrupted) {
                over = true;
            }
        }

        @Override
        public boolean end() {
            over = true;
            try {
                if (flapper != null) {
                    flapper.join();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return effect;
        }
    }

    /** What one or all relays do for a while. */
    record Relaying(
            List<Relay> relays,
            Relay.Behaviour behaviour,
            String target,
            Set<String> hitSessions,
            List<Long> hitsBefore)
            implements Fault {
        Relaying(List<Relay> relays, Relay.Behaviour behaviour, String target, Set<String> hitSessions) {
            this(relays, behaviour, target, hitSessions, new ArrayList<>());
        }

        /** Relays stand before some clients only. */
        @Override
        public Set<String> impaired() {
            return Set.of();
        }

        @Override
        public void begin() {
            relays.forEach(relay -> hitsBefore.add(relay.hits()));
            relays.forEach(relay -> relay.behave(behaviour));
        }

        @Override
        public boolean end() {
            relays.forEach(relay -> relay.behave(Relay.Behaviour.PLAIN));
            boolean effect = false;
            for (int i = 0; i < relays.size(); i++) {
                effect |= relays.get(i).hits() > hitsBefore.get(i);
            }
            return effect;
        }
    }

    /** Both ways between every one of the first and every one of the second. */
    static Set<Cut> between(Collection<String> some, Collection<String> others) {
        Set<Cut> cuts = new TreeSet<>();
        cuts.addAll(oneWay(some, others));
        cuts.addAll(oneWay(others, some));
        return cuts;
    }

    /** Nothing gets from the first to the second. The hub, which has no filter of its own, always hears. */
    static Set<Cut> oneWay(Collection<String> from, Collection<String> to) {
        Set<Cut> cuts = new TreeSet<>();
        for (String sender : from) {
            for (String receiver : to) {
                if (!sender.equals(receiver) && !receiver.equals(Firewall.HUB)) {
                    cuts.add(new Cut(sender, receiver));
                }
            }
        }
        return cuts;
    }

    /** Everybody, the relays included, but not this one. */
    static List<String> allBut(Topology topology, String name) {
        List<String> names = new ArrayList<>(topology.names());
        names.remove(name);
        names.add(Firewall.HUB);
        return names;
    }
}
