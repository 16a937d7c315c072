package io.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.server.config.ConfigKey;
import io.holdfast.server.config.ReplicaConfig;
import io.holdfast.server.config.ReplicaConfigLoader;
import io.holdfast.server.parts.StartFailedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two replicas in this process, on ports of the loopback interface. */
final class ReplicaServerTest {
    @TempDir
    Path directory;

    /** It listens for clients only when the cell is formed, and somebody else may have taken the port by then. */
    @Test
    void aPortThatWasTakenMeanwhileIsNamed() throws Exception {
        List<Integer> ports = freePorts(6);
        String members = "r1=127.0.0.1:" + ports.get(2) + ",r2=127.0.0.1:" + ports.get(5);
        try (ReplicaServer first = ReplicaServer.start(config("r1", ports.subList(0, 3), members), (say, why) -> {});
                ServerSocket other = new ServerSocket(ports.get(0), 1, InetAddress.getByName("127.0.0.1"));
                ReplicaServer second =
                        ReplicaServer.start(config("r2", ports.subList(3, 6), members), (say, why) -> {})) {
            Throwable failure =
                    first.whenServing().handle((nothing, why) -> why).get(60, TimeUnit.SECONDS);
            assertThat(failure)
                    .isInstanceOf(StartFailedException.class)
                    .hasMessageContaining(Integer.toString(other.getLocalPort()));
            assertThat(second.whenServing().handle((nothing, why) -> why).get(60, TimeUnit.SECONDS))
                    .isNull();
        }
    }

    /** As a silent voter it would answer nobody whom the file names, and be missed by those whom it votes with. */
    @Test
    void aMemberListThatContradictsTheDataIsRefused() throws Exception {
        // Others each time: a port is free again only when the selector has let it go. Addresses may change.
        List<Integer> ports = freePorts(10);
        String alone = "r1=127.0.0.1:";
        ReplicaServer first =
                ReplicaServer.start(config("r1", ports.subList(0, 3), alone + ports.get(2)), (say, why) -> {});
        first.whenServing().get(60, TimeUnit.SECONDS);
        first.close();
        String edited = alone + ports.get(5) + ",r4=127.0.0.1:" + ports.get(9);
        assertThatThrownBy(() -> ReplicaServer.start(config("r1", ports.subList(3, 6), edited), (say, why) -> {})
                        .close())
                .isInstanceOf(StartFailedException.class)
                .hasMessageContaining("members")
                .hasMessageContaining("names r1, r4,")
                .hasMessageContaining("the members are r1;");
        ReplicaServer again =
                ReplicaServer.start(config("r1", ports.subList(6, 9), alone + ports.get(8)), (say, why) -> {});
        again.whenServing().get(60, TimeUnit.SECONDS);
        again.close();
    }

    /** R7.4: with another count the names of leased locks would have other homes. */
    @Test
    void anotherCountOfShardsThanThatOfTheDataIsRefused() throws Exception {
        List<Integer> ports = freePorts(9);
        String alone = "r1=127.0.0.1:";
        ReplicaConfig three = withShards(config("r1", ports.subList(0, 3), alone + ports.get(2)), 3);
        ReplicaServer first = ReplicaServer.start(three, (say, why) -> {});
        first.whenServing().get(60, TimeUnit.SECONDS);
        first.close();
        ReplicaConfig none = withShards(config("r1", ports.subList(3, 6), alone + ports.get(5)), 0);
        assertThatThrownBy(() -> ReplicaServer.start(none, (say, why) -> {}).close())
                .isInstanceOf(StartFailedException.class)
                .hasMessageContaining("identity")
                .hasMessageContaining("3 shards")
                .hasMessageContaining("shards: 0");
        ReplicaConfig again = withShards(config("r1", ports.subList(6, 9), alone + ports.get(8)), 3);
        ReplicaServer second = ReplicaServer.start(again, (say, why) -> {});
        second.whenServing().get(60, TimeUnit.SECONDS);
        second.close();
    }

    private static ReplicaConfig withShards(ReplicaConfig config, int shards) {
        return new ReplicaConfig(
                config.naming(),
                config.dataDir(),
                config.listen(),
                config.members(),
                shards,
                config.raft(),
                config.session());
    }

    private ReplicaConfig config(String replica, List<Integer> ports, String members) {
        return ReplicaConfigLoader.load(
                null,
                Map.of(),
                Map.of(
                        ConfigKey.REPLICA,
                        replica,
                        ConfigKey.MEMBERS,
                        members,
                        ConfigKey.DATA_DIR,
                        directory.resolve(replica).toString(),
                        ConfigKey.LISTEN_CLIENT,
                        "127.0.0.1:" + ports.get(0),
                        ConfigKey.LISTEN_HTTP,
                        "127.0.0.1:" + ports.get(1),
                        ConfigKey.LISTEN_PEER,
                        "127.0.0.1:" + ports.get(2)),
                false);
    }

    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
            sockets.add(socket);
            ports.add(socket.getLocalPort());
        }
        for (ServerSocket socket : sockets) {
            socket.close();
        }
        return ports;
    }
}
