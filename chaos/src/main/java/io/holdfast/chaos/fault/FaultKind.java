package io.holdfast.chaos.fault;

import java.util.Locale;

/** All that a run does. */
public enum FaultKind {
    KILL_FOLLOWER(Needs.NOTHING, 1_000, 6_000),
    KILL_LEADER(Needs.NOTHING, 1_000, 6_000),
    KILL_SEVERAL(Needs.NOTHING, 2_000, 8_000),
    KILL_MAJORITY(Needs.NOTHING, 2_000, 8_000),
    KILL_ALL(Needs.NOTHING, 500, 5_000),
    END_LEADER(Needs.NOTHING, 1_000, 6_000),
    POWER_CUT_ONE(Needs.SHIM, 1_000, 4_000),
    POWER_CUT_ALL(Needs.SHIM, 1_000, 4_000),
    FREEZE_FOLLOWER(Needs.NOTHING, 2_000, 15_000),
    FREEZE_LEADER(Needs.NOTHING, 2_000, 15_000),
    FREEZE_SEVERAL(Needs.NOTHING, 2_000, 10_000),
    CUT_FOLLOWER(Needs.NAMESPACES, 3_000, 15_000),
    CUT_LEADER(Needs.NAMESPACES, 3_000, 15_000),
    CUT_LEADER_FROM_PEERS(Needs.NAMESPACES, 3_000, 15_000),
    CUT_HEARING(Needs.NAMESPACES, 3_000, 15_000),
    CUT_SPEAKING(Needs.NAMESPACES, 3_000, 15_000),
    CUT_PAIR(Needs.NAMESPACES, 3_000, 15_000),
    CUT_HALVES(Needs.NAMESPACES, 3_000, 15_000),
    CUT_FLAPPING(Needs.NAMESPACES, 6_000, 15_000),
    CUT_CLIENT(Needs.NAMESPACES, 3_000, 20_000),
    RELAY_DELAY(Needs.NOTHING, 3_000, 10_000),
    RELAY_HOLD_REQUESTS(Needs.NOTHING, 3_000, 10_000),
    RELAY_HOLD_REPLIES(Needs.NOTHING, 3_000, 10_000),
    RELAY_CUT_BEFORE_REPLY(Needs.NOTHING, 3_000, 10_000),
    SLOW_DISK_FOLLOWER(Needs.SHIM, 3_000, 12_000),
    SLOW_DISK_LEADER(Needs.SHIM, 3_000, 12_000),
    SLOW_DISK_ALL(Needs.SHIM, 3_000, 12_000),
    DISK_FULL_FOLLOWER(Needs.SMALL_DISK, 4_000, 10_000),
    DISK_FULL_LEADER(Needs.SMALL_DISK, 4_000, 10_000),
    DISK_FULL_MAJORITY(Needs.SMALL_DISK, 4_000, 10_000),
    CLOCK_REPLICAS(Needs.FAKE_TIME, 3_000, 8_000),
    CLOCK_CLIENT(Needs.FAKE_TIME, 3_000, 8_000),
    CLIENT_KILL(Needs.NOTHING, 1_000, 5_000),
    CLIENT_FREEZE(Needs.NOTHING, 2_000, 20_000);

    /** What a kind cannot be done without. */
    public enum Needs {
        NOTHING("nothing"),
        NAMESPACES("network namespaces and nftables, for which the run must be root"),
        SMALL_DISK("a tmpfs, for which the run must be root"),
        SHIM("a C compiler, for the disk shim"),
        FAKE_TIME("libfaketime");

        private final String words;

        Needs(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    private final Needs needs;
    private final long fromMillis;
    private final long toMillis;

    FaultKind(Needs needs, long fromMillis, long toMillis) {
        this.needs = needs;
        this.fromMillis = fromMillis;
        this.toMillis = toMillis;
    }

    public Needs needs() {
        return needs;
    }

    /** Shortest time that it lasts. */
    long fromMillis() {
        return fromMillis;
    }

    /** Longest, exclusive. */
    long toMillis() {
        return toMillis;
    }

    /** Two of one family would undo each other. */
    boolean isOfOneFamilyWith(FaultKind other) {
        return family().equals(other.family());
    }

    private String family() {
        String first = name().substring(0, name().indexOf('_'));
        // A power cut is prepared by making disks slow; what is killed cannot be ended.
        return switch (first) {
            case "POWER" -> "SLOW";
            case "END" -> "KILL";
            default -> first;
        };
    }

    /** As on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
