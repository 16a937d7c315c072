package io.holdfast.server;

import io.holdfast.raft.ReplicaId;
import io.holdfast.server.parts.StartFailedException;
import io.holdfast.storage.FileDisk;
import io.holdfast.storage.IdentityFile;
import io.holdfast.storage.ReplicaIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Looks at the data directories of a development cell before anything is opened: they belong together, and one that was
 * lost must not come back empty beside the others (R8.2, C16).
 */
final class DevData {
    /** As {@link DevCell} names its replicas. */
    private static final Pattern NAME = Pattern.compile("r[0-9]+");

    private final Path directory;
    private final Map<String, ReplicaIdentity> identities = new TreeMap<>();

    private DevData(Path directory) {
        this.directory = directory;
    }

    /**
     * Checks that the directory holds nothing, or all of a cell of {@code replicas} replicas.
     *
     * @throws StartFailedException naming what does not fit and what to do
     */
    static void check(Path directory, String cell, List<String> replicas) {
        DevData data = new DevData(directory);
        data.load(cell, new TreeSet<>(replicas));
        if (data.identities.isEmpty()) {
            data.requireOwn();
        }
        Optional<ReplicaIdentity> formed = data.identities.values().stream()
                .filter(ReplicaIdentity::isFormed)
                .findFirst();
        formed.ifPresent(witness -> data.requireWhole(witness, replicas));
    }

    private void load(String cell, Set<String> configured) {
        TreeSet<String> names = new TreeSet<>(configured);
        names.addAll(replicaDirectories());
        for (String name : names) {
            Path home = directory.resolve(name);
            if (!Files.isDirectory(home)) {
                continue;
            }
            try {
                IdentityFile.load(new FileDisk(home), cell, name).ifPresent(identity -> identities.put(name, identity));
            } catch (IOException refused) {
                throw new StartFailedException("replica " + name + ": " + refused.getMessage(), refused);
            }
        }
    }

    private List<String> replicaDirectories() {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(directory)) {
            return children.filter(child -> Files.exists(child.resolve(IdentityFile.NAME)))
                    .map(child -> child.getFileName().toString())
                    .filter(name -> NAME.matcher(name).matches()) // not a copy that somebody keeps beside it
                    .toList();
        } catch (IOException unreadable) {
            throw new StartFailedException(directory + ": cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    /** A new cell is not begun among files of somebody else. */
    private void requireOwn() {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> children = Files.list(directory)) {
            children.filter(Files::isRegularFile).findAny().ifPresent(file -> {
                throw new StartFailedException("--data " + directory + ": " + file.getFileName()
                        + " is not Holdfast's, and there is no data of a cell; choose an empty or a new directory");
            });
        } catch (IOException unreadable) {
            throw new StartFailedException(directory + ": cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    private void requireWhole(ReplicaIdentity witness, List<String> replicas) {
        TreeSet<String> formedOf = new TreeSet<>();
        witness.formedMembers().forEach(member -> formedOf.add(member.name()));
        if (!formedOf.equals(new TreeSet<>(replicas))) {
            throw new StartFailedException("--replicas " + replicas.size() + ": the cell in " + directory
                    + " was formed with " + formedOf.size() + " replicas (" + String.join(", ", formedOf)
                    + "); start it with --replicas " + formedOf.size() + ", or choose another --data directory");
        }
        for (ReplicaId member : witness.formedMembers()) {
            ReplicaIdentity found = identities.get(member.name());
            if (found == null || !found.replicaId().equals(member)) {
                throw new StartFailedException("replica " + member.name() + ": its data in "
                        + directory.resolve(member.name()) + " is "
                        + (found == null ? "missing" : "not the data it had")
                        + ", although " + witness.replicaName() + " remembers a cell with it. A replica that lost its"
                        + " data must not vote; bring the directory back from a copy, or delete " + directory
                        + " to begin again with an empty cell");
            }
        }
    }
}
