package io.holdfast.client.session;

import io.holdfast.model.LeaseCall;
import io.holdfast.model.Operation;
import io.holdfast.model.Query;

/** Operations and queries in words, for messages. */
final class Words {
    private Words() {}

    static String of(Operation operation) {
        if (operation instanceof Operation.Put put) {
            return "put " + put.path();
        } else if (operation instanceof Operation.CreateEphemeral create) {
            return "create " + create.path();
        } else if (operation instanceof Operation.Delete delete) {
            return "delete " + delete.path();
        } else if (operation instanceof Operation.Acquire acquire) {
            return "acquire " + acquire.lock();
        } else if (operation instanceof Operation.Release release) {
            return "release " + release.place();
        } else if (operation instanceof Operation.Cancel cancel) {
            return "cancel request " + cancel.requestId();
        } else if (operation instanceof Operation.Batch batch) {
            return "batch of " + batch.items().size();
        }
        if (operation instanceof Operation.BreakPlace broken) {
            return "break " + broken.place();
        } else if (operation instanceof Operation.EndSession end) {
            return "expire session " + end.session();
        }
        return "close session";
    }

    static String of(LeaseCall call) {
        if (call instanceof LeaseCall.Acquire acquire) {
            return "acquire lease " + acquire.name() + " for " + acquire.owner();
        } else if (call instanceof LeaseCall.Renew renew) {
            return "renew lease " + renew.name() + " with token " + renew.token();
        } else if (call instanceof LeaseCall.Release release) {
            return "release lease " + release.name() + " with token " + release.token();
        }
        return "inspect lease " + call.name();
    }

    static String of(Query query) {
        if (query instanceof Query.GetValue get) {
            return "get " + get.path();
        } else if (query instanceof Query.Stat stat) {
            return "stat " + stat.path();
        } else if (query instanceof Query.ListChildren list) {
            return "list " + list.path();
        } else if (query instanceof Query.PlaceState place) {
            return "state of place " + place.place();
        } else if (query instanceof Query.ListPlaces places) {
            return "locks " + places.prefix();
        } else if (query instanceof Query.ListSessions) {
            return "sessions";
        } else if (query instanceof Query.CheckToken check) {
            return "check token " + check.token() + " of " + check.lock();
        }
        return query instanceof Query.ShardStatus shard ? "status of shard " + shard.shard() : "status";
    }
}
