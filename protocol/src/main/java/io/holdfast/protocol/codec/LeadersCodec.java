package io.holdfast.protocol.codec;

import io.holdfast.protocol.frame.LeadersView;
import io.holdfast.protocol.frame.LeadersView.CellLeader;
import io.holdfast.protocol.proto.CellLeaderMessage;
import io.holdfast.protocol.proto.FollowMessage;
import io.holdfast.protocol.proto.LeadersMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link LeadersView} and its message.
 *
 * <p><b>Thread:</b> any.
 */
public final class LeadersCodec {
    /** Cells of one process; more are refused (R8.4). */
    private static final int MAX_CELLS = 2_000;

    private LeadersCodec() {}

    /** What asks for views. */
    public static FollowMessage ask() {
        return FollowMessage.newBuilder().setVersion(Fields.VERSION).build();
    }

    public static LeadersMessage encode(LeadersView view) {
        LeadersMessage.Builder message = LeadersMessage.newBuilder()
                .setVersion(Fields.VERSION)
                .setDeployment(view.deployment())
                .setReplica(view.replica());
        for (CellLeader each : view.cells()) {
            CellLeaderMessage.Builder cell =
                    CellLeaderMessage.newBuilder().setCell(each.cell()).setTerm(each.term());
            if (each.leader() != null) {
                cell.setLeader(each.leader());
            }
            message.addCells(cell);
        }
        return message.build();
    }

    /**
     * The view in a message.
     *
     * @throws MalformedFrameException if any part of it is invalid
     */
    public static LeadersView decode(LeadersMessage message) throws MalformedFrameException {
        Fields.checkVersion(message.getVersion());
        if (message.getCellsCount() == 0 || message.getCellsCount() > MAX_CELLS) {
            throw MalformedFrameException.invalid("cells", message.getCellsCount() + " is outside 1 to " + MAX_CELLS);
        }
        List<CellLeader> cells = new ArrayList<>(message.getCellsCount());
        for (CellLeaderMessage each : message.getCellsList()) {
            cells.add(new CellLeader(each.getCell(), each.getTerm(), each.hasLeader() ? each.getLeader() : null));
        }
        return new LeadersView(message.getDeployment(), message.getReplica(), cells);
    }
}
