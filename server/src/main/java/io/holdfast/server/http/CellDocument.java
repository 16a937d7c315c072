package io.holdfast.server.http;

import io.holdfast.model.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A cell's status as the JSON that users see, over HTTP and on the command line alike. */
public final class CellDocument {
    private CellDocument() {}

    private static Map<String, @Nullable Object> ofShard(Answer.Status shard) {
        Map<String, @Nullable Object> document = of(shard);
        document.remove("cells");
        return document;
    }

    /** Maps, lists, strings, numbers and booleans, in the order in which they are shown. */
    public static Map<String, @Nullable Object> of(Answer.Status status) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("cell", status.cell());
        document.put("leader", status.leader());
        document.put("term", status.term());
        document.put("revision", status.revision());
        document.put("appliedIndex", status.appliedIndex());
        document.put("nodes", status.nodes());
        document.put("sessions", status.sessions());
        document.put("stateBytes", status.stateBytes());
        List<Map<String, Object>> replicas = new ArrayList<>();
        for (Answer.ReplicaInfo replica : status.replicas()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("replica", replica.replica());
            entry.put("role", replica.role());
            entry.put("reachable", replica.reachable());
            entry.put("appliedIndex", replica.appliedIndex());
            entry.put("digest", replica.digest());
            replicas.add(entry);
        }
        document.put("replicas", replicas);
        document.put("caches", caches(status.caches()));
        document.put("cells", status.cells().stream().map(CellDocument::ofShard).toList());
        return document;
    }

    /** What clients cache, and whom writes wait for (R6.3). */
    private static Map<String, Object> caches(Answer.Caches caches) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("cachedPaths", caches.cachedPaths());
        document.put("writesWaiting", caches.writesWaiting());
        List<Map<String, Object>> waits = new ArrayList<>();
        for (Answer.CacheWait wait : caches.waitsFor()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("session", wait.session().value());
            entry.put("client", wait.clientName());
            entry.put("paths", wait.paths());
            entry.put("waitedMillis", wait.waitedMillis());
            entry.put("remainingMillis", wait.remainingMillis());
            waits.add(entry);
        }
        document.put("waitsFor", waits);
        return document;
    }
}
