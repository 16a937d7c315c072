package io.holdfast.protocol.codec;

import io.holdfast.model.Answer;
import io.holdfast.model.FencingToken;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.proto.PlaceInfoMessage;
import io.holdfast.protocol.proto.PlacesAnswer;
import io.holdfast.protocol.proto.ReplicaInfoMessage;
import io.holdfast.protocol.proto.SessionInfoMessage;
import io.holdfast.protocol.proto.SessionsAnswer;
import io.holdfast.protocol.proto.StatusAnswer;
import java.util.ArrayList;
import java.util.List;

/** The answers that list things, and their messages. */
final class ListingCodec {
    private ListingCodec() {}

    static PlacesAnswer encode(Answer.Places places) {
        PlacesAnswer.Builder message = PlacesAnswer.newBuilder().setMore(places.more());
        for (Answer.PlaceInfo place : places.places()) {
            PlaceInfoMessage.Builder info = message.addPlacesBuilder()
                    .setLock(place.lock().value())
                    .setPlace(place.place().value())
                    .setToken(place.token().value())
                    .setModeValue(place.mode().code())
                    .setHeld(place.held())
                    .setClientName(place.clientName())
                    .setSinceWallMillis(place.sinceWallMillis())
                    .setValue(Fields.wrap(place.value()))
                    .setPermits(place.permits())
                    .setEnding(place.ending());
            if (place.session() != null) {
                info.setSession(place.session().value());
            }
        }
        return message.build();
    }

    static Answer.Places decode(PlacesAnswer message) throws MalformedFrameException {
        List<Answer.PlaceInfo> places = new ArrayList<>(message.getPlacesCount());
        for (PlaceInfoMessage info : message.getPlacesList()) {
            places.add(new Answer.PlaceInfo(
                    Fields.path("places.lock", info.getLock()),
                    Fields.path("places.place", info.getPlace()),
                    new FencingToken(info.getToken()),
                    Fields.lockMode("places.mode", info.getModeValue()),
                    info.getHeld(),
                    info.hasSession() ? new SessionId(info.getSession()) : null,
                    info.getClientName(),
                    info.getSinceWallMillis(),
                    Fields.value("places.value", info.getValue()),
                    info.getPermits(),
                    info.getEnding()));
        }
        return new Answer.Places(List.copyOf(places), message.getMore());
    }

    static SessionsAnswer encode(Answer.Sessions sessions) {
        SessionsAnswer.Builder message = SessionsAnswer.newBuilder().setMore(sessions.more());
        for (Answer.SessionInfo session : sessions.sessions()) {
            message.addSessionsBuilder()
                    .setSession(session.session().value())
                    .setClientName(session.clientName())
                    .setLeaseMillis(session.leaseMillis())
                    .setRemainingMillis(session.remainingMillis())
                    .setOpenedWallMillis(session.openedWallMillis())
                    .setNodes(session.nodes())
                    .setExpiring(session.expiring())
                    .setEnding(session.ending());
        }
        return message.build();
    }

    static Answer.Sessions decode(SessionsAnswer message) {
        List<Answer.SessionInfo> sessions = new ArrayList<>(message.getSessionsCount());
        for (SessionInfoMessage info : message.getSessionsList()) {
            sessions.add(new Answer.SessionInfo(
                    new SessionId(info.getSession()),
                    info.getClientName(),
                    info.getLeaseMillis(),
                    info.getRemainingMillis(),
                    info.getOpenedWallMillis(),
                    info.getNodes(),
                    info.getExpiring(),
                    info.getEnding()));
        }
        return new Answer.Sessions(List.copyOf(sessions), message.getMore());
    }

    static StatusAnswer encode(Answer.Status status) {
        StatusAnswer.Builder message = StatusAnswer.newBuilder()
                .setCell(status.cell())
                .setTerm(status.term())
                .setRevision(status.revision())
                .setAppliedIndex(status.appliedIndex())
                .setStateBytes(status.stateBytes())
                .setNodes(status.nodes())
                .setSessions(status.sessions())
                .setCaches(CacheCodec.encode(status.caches()))
                .setShards(status.shards());
        if (status.leader() != null) {
            message.setLeader(status.leader());
        }
        for (Answer.ReplicaInfo replica : status.replicas()) {
            message.addReplicasBuilder()
                    .setReplica(replica.replica())
                    .setRole(replica.role())
                    .setReachable(replica.reachable())
                    .setAppliedIndex(replica.appliedIndex())
                    .setDigest(replica.digest());
        }
        return message.build();
    }

    static Answer.Status decode(StatusAnswer message) {
        List<Answer.ReplicaInfo> replicas = new ArrayList<>(message.getReplicasCount());
        for (ReplicaInfoMessage info : message.getReplicasList()) {
            replicas.add(new Answer.ReplicaInfo(
                    info.getReplica(), info.getRole(), info.getReachable(), info.getAppliedIndex(), info.getDigest()));
        }
        return new Answer.Status(
                message.getCell(),
                message.hasLeader() ? message.getLeader() : null,
                message.getTerm(),
                message.getRevision(),
                message.getAppliedIndex(),
                message.getStateBytes(),
                message.getNodes(),
                message.getSessions(),
                List.copyOf(replicas),
                CacheCodec.decode(message.getCaches()),
                message.getShards(),
                List.of());
    }
}
