package io.holdfast.simulation.process;

import io.holdfast.simulation.network.SimNetwork;
import io.holdfast.simulation.network.Stream;
import io.holdfast.simulation.network.StreamEnd;
import io.holdfast.simulation.world.Coverage;
import io.holdfast.simulation.world.World;

/** A process that clients can connect to: it has a front end. */
public abstract class EndpointProcess extends SimProcess {
    protected final String name;
    protected final SimNetwork network;

    protected EndpointProcess(World world, int hostId, double rho, String name, SimNetwork network) {
        super(world, hostId, rho);
        this.name = name;
        this.network = network;
    }

    public final String name() {
        return name;
    }

    final Coverage coverage() {
        return world.coverage();
    }

    /** Of the present life. */
    abstract FrontEndHost frontEnd();

    /** Whether it takes new connections now; else they are refused. */
    boolean takesClients() {
        return isAlive();
    }

    /** The front end may want to be woken earlier than was planned. */
    abstract void planWake();

    /** A client opens a stream to this living process. */
    Stream accept(ClientProcess client, StreamEnd clientEnd) {
        FrontEndHost frontEnd = frontEnd();
        long number = frontEnd.newStream();
        Stream stream = network.open(client, clientEnd, this, frontEnd.accept(number));
        frontEnd.opened(number, stream);
        stream.sendFromOpener(SimReplica.CONNECT);
        return stream;
    }
}
