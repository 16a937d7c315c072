package io.holdfast.protocol.codec;

import io.holdfast.model.Answer;
import io.holdfast.model.ErrorCode;
import io.holdfast.model.FencingToken;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.proto.AnswerMessage;
import io.holdfast.protocol.proto.ChildrenAnswer;
import io.holdfast.protocol.proto.FailedAnswer;
import io.holdfast.protocol.proto.NodeStatAnswer;
import io.holdfast.protocol.proto.PlaceAnswer;
import io.holdfast.protocol.proto.TokenCheckAnswer;
import io.holdfast.protocol.proto.ValueAnswer;
import java.util.List;

/** {@link Answer} and its message; lists and status are in {@link ListingCodec}. */
final class AnswerCodec {
    private AnswerCodec() {}

    static AnswerMessage encode(Answer answer) {
        AnswerMessage.Builder message = AnswerMessage.newBuilder();
        if (answer instanceof Answer.Value value) {
            message.setValue(value(value));
        } else if (answer instanceof Answer.NodeStat stat) {
            message.setNodeStat(nodeStat(stat));
        } else if (answer instanceof Answer.Children children) {
            message.setChildren(ChildrenAnswer.newBuilder()
                    .setPath(children.path().value())
                    .addAllNames(children.names())
                    .setMore(children.more())
                    .setChildrenRevision(children.childrenRevision()));
        } else if (answer instanceof Answer.Place place) {
            message.setPlace(PlaceAnswer.newBuilder()
                    .setPlace(place.place().value())
                    .setToken(place.token().value())
                    .setPresent(place.present())
                    .setHeld(place.held()));
        } else if (answer instanceof Answer.Places places) {
            message.setPlaces(ListingCodec.encode(places));
        } else if (answer instanceof Answer.Sessions sessions) {
            message.setSessions(ListingCodec.encode(sessions));
        } else if (answer instanceof Answer.TokenCheck check) {
            message.setTokenCheck(TokenCheckAnswer.newBuilder().setCurrent(check.current()));
        } else if (answer instanceof Answer.Status status) {
            message.setStatus(ListingCodec.encode(status));
        } else if (answer instanceof Answer.Failed failed) {
            message.setFailed(
                    FailedAnswer.newBuilder().setCodeValue(failed.code().code()).setMessage(failed.message()));
        } else {
            throw new AssertionError("answer without a message: " + answer.getClass());
        }
        return message.build();
    }

    static Answer decode(AnswerMessage message) throws MalformedFrameException {
        switch (message.getAnswerCase()) {
            case VALUE:
                return value(message.getValue());
            case NODE_STAT:
                return nodeStat(message.getNodeStat());
            case CHILDREN: {
                ChildrenAnswer children = message.getChildren();
                return new Answer.Children(
                        Fields.path("children.path", children.getPath()),
                        List.copyOf(children.getNamesList()),
                        children.getMore(),
                        children.getChildrenRevision());
            }
            case PLACE: {
                PlaceAnswer place = message.getPlace();
                return new Answer.Place(
                        Fields.path("place.place", place.getPlace()),
                        new FencingToken(place.getToken()),
                        place.getPresent(),
                        place.getHeld());
            }
            case PLACES:
                return ListingCodec.decode(message.getPlaces());
            case SESSIONS:
                return ListingCodec.decode(message.getSessions());
            case TOKEN_CHECK:
                return new Answer.TokenCheck(message.getTokenCheck().getCurrent());
            case STATUS:
                return ListingCodec.decode(message.getStatus());
            case FAILED: {
                FailedAnswer failed = message.getFailed();
                return new Answer.Failed(ErrorCode.of(failed.getCodeValue()), failed.getMessage());
            }
            case ANSWER_NOT_SET:
                break;
        }
        throw Fields.missing("answer");
    }

    private static ValueAnswer value(Answer.Value value) {
        ValueAnswer.Builder builder = ValueAnswer.newBuilder()
                .setPath(value.path().value())
                .setVersion(value.version())
                .setCreateRevision(value.createRevision())
                .setModifyRevision(value.modifyRevision());
        if (value.value() != null) {
            builder.setValue(Fields.wrap(value.value()));
        }
        return builder.build();
    }

    private static Answer.Value value(ValueAnswer value) throws MalformedFrameException {
        return new Answer.Value(
                Fields.path("value.path", value.getPath()),
                value.hasValue() ? Fields.value("value.value", value.getValue()) : null,
                value.getVersion(),
                value.getCreateRevision(),
                value.getModifyRevision());
    }

    private static NodeStatAnswer nodeStat(Answer.NodeStat stat) {
        NodeStatAnswer.Builder builder = NodeStatAnswer.newBuilder()
                .setPath(stat.path().value())
                .setKindValue(stat.kind().code())
                .setVersion(stat.version())
                .setCreateRevision(stat.createRevision())
                .setModifyRevision(stat.modifyRevision())
                .setChildrenRevision(stat.childrenRevision())
                .setChildren(stat.children())
                .setValueBytes(stat.valueBytes());
        if (stat.session() != null) {
            builder.setSession(stat.session().value());
        }
        return builder.build();
    }

    private static Answer.NodeStat nodeStat(NodeStatAnswer stat) throws MalformedFrameException {
        return new Answer.NodeStat(
                Fields.path("node_stat.path", stat.getPath()),
                Fields.nodeKind("node_stat.kind", stat.getKindValue()),
                stat.getVersion(),
                stat.getCreateRevision(),
                stat.getModifyRevision(),
                stat.getChildrenRevision(),
                stat.getChildren(),
                stat.getValueBytes(),
                stat.hasSession() ? new SessionId(stat.getSession()) : null);
    }
}
