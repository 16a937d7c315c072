package io.holdfast.replica;

import io.holdfast.protocol.frame.DownstreamFrame;
import io.holdfast.storage.CellId;

/**
 * The way to front ends for a cell that shares their links with others: each frame names the cell, and a link that one cell is
 * done with goes on for the others.
 *
 * <p><b>Thread:</b> the loop.
 */
record CellSink(CellId cell, UpstreamSink links) implements UpstreamSink {
    @Override
    public void send(long link, DownstreamFrame frame) {
        links.send(link, new DownstreamFrame.FromCell(cell.value(), frame));
    }

    @Override
    public void close(long link) {}
}
