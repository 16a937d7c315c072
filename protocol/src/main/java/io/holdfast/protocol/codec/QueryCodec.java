package io.holdfast.protocol.codec;

import io.holdfast.model.FencingToken;
import io.holdfast.model.Limits;
import io.holdfast.model.Query;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.proto.CellStatusQuery;
import io.holdfast.protocol.proto.CheckTokenQuery;
import io.holdfast.protocol.proto.GetValueQuery;
import io.holdfast.protocol.proto.ListChildrenQuery;
import io.holdfast.protocol.proto.ListPlacesQuery;
import io.holdfast.protocol.proto.ListSessionsQuery;
import io.holdfast.protocol.proto.PlaceStateQuery;
import io.holdfast.protocol.proto.QueryMessage;
import io.holdfast.protocol.proto.ShardStatusQuery;
import io.holdfast.protocol.proto.StatQuery;

/** {@link Query} and its message. */
final class QueryCodec {
    private QueryCodec() {}

    static QueryMessage encode(Query query) {
        QueryMessage.Builder message = QueryMessage.newBuilder();
        if (query instanceof Query.GetValue get) {
            message.setGetValue(GetValueQuery.newBuilder().setPath(get.path().value()));
        } else if (query instanceof Query.Stat stat) {
            message.setStat(StatQuery.newBuilder().setPath(stat.path().value()));
        } else if (query instanceof Query.ListChildren list) {
            message.setListChildren(ListChildrenQuery.newBuilder()
                    .setPath(list.path().value())
                    .setAfterName(list.afterName())
                    .setLimit(list.limit()));
        } else if (query instanceof Query.PlaceState place) {
            message.setPlaceState(PlaceStateQuery.newBuilder()
                    .setPlace(place.place().value())
                    .setToken(place.token().value()));
        } else if (query instanceof Query.ListPlaces list) {
            message.setListPlaces(ListPlacesQuery.newBuilder()
                    .setPrefix(list.prefix().value())
                    .setAfter(list.after().value())
                    .setLimit(list.limit()));
        } else if (query instanceof Query.ListSessions list) {
            message.setListSessions(ListSessionsQuery.newBuilder()
                    .setAfter(list.after().value())
                    .setLimit(list.limit()));
        } else if (query instanceof Query.CheckToken check) {
            message.setCheckToken(CheckTokenQuery.newBuilder()
                    .setLock(check.lock().value())
                    .setToken(check.token().value()));
        } else if (query instanceof Query.CellStatus) {
            message.setCellStatus(CellStatusQuery.getDefaultInstance());
        } else if (query instanceof Query.ShardStatus shard) {
            message.setShardStatus(ShardStatusQuery.newBuilder().setShard(shard.shard()));
        } else {
            throw new AssertionError("query without a message: " + query.getClass());
        }
        return message.build();
    }

    static Query decode(QueryMessage message) throws MalformedFrameException {
        switch (message.getQueryCase()) {
            case GET_VALUE:
                return new Query.GetValue(
                        Fields.path("get_value.path", message.getGetValue().getPath()));
            case STAT:
                return new Query.Stat(Fields.path("stat.path", message.getStat().getPath()));
            case LIST_CHILDREN: {
                ListChildrenQuery list = message.getListChildren();
                return new Query.ListChildren(
                        Fields.path("list_children.path", list.getPath()),
                        Fields.text("list_children.after_name", list.getAfterNameBytes(), Limits.MAX_PATH_BYTES),
                        Fields.pageLimit("list_children.limit", list.getLimit()));
            }
            case PLACE_STATE: {
                PlaceStateQuery place = message.getPlaceState();
                return new Query.PlaceState(
                        Fields.path("place_state.place", place.getPlace()), new FencingToken(place.getToken()));
            }
            case LIST_PLACES: {
                ListPlacesQuery list = message.getListPlaces();
                return new Query.ListPlaces(
                        Fields.path("list_places.prefix", list.getPrefix()),
                        Fields.path("list_places.after", list.getAfter()),
                        Fields.pageLimit("list_places.limit", list.getLimit()));
            }
            case LIST_SESSIONS: {
                ListSessionsQuery list = message.getListSessions();
                return new Query.ListSessions(
                        new SessionId(list.getAfter()), Fields.pageLimit("list_sessions.limit", list.getLimit()));
            }
            case CHECK_TOKEN: {
                CheckTokenQuery check = message.getCheckToken();
                return new Query.CheckToken(
                        Fields.path("check_token.lock", check.getLock()), new FencingToken(check.getToken()));
            }
            case CELL_STATUS:
                return new Query.CellStatus();
            case SHARD_STATUS:
                return new Query.ShardStatus(message.getShardStatus().getShard());
            case QUERY_NOT_SET:
                break;
        }
        throw Fields.missing("query");
    }
}
