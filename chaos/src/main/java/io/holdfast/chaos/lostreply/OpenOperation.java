package io.holdfast.chaos.lostreply;

import io.holdfast.client.HoldfastClient;
import io.holdfast.model.Answer;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Opens a session, with the first write that needs it. <b>Thread:</b> one. */
final class OpenOperation implements Operation {
    private final Function<String, HoldfastClient> clients;
    private long number;
    private @Nullable HoldfastClient client;

    /** @param clients makes one of a name, whose connections are cut */
    OpenOperation(Function<String, HoldfastClient> clients) {
        this.clients = clients;
    }

    @Override
    public String name() {
        return "OPEN";
    }

    private String clientName() {
        return "open-" + number;
    }

    @Override
    public void prepare() {
        number++;
        client = clients.apply(clientName());
    }

    private HoldfastClient present() {
        HoldfastClient opened = client;
        if (opened == null) {
            throw new IllegalStateException("not prepared");
        }
        return opened;
    }

    @Override
    public void act() {
        present().values().put("/lostreply/open", new byte[0]);
    }

    @Override
    public Optional<String> judge(HoldfastClient direct) {
        List<Answer.SessionInfo> sessions = named(direct);
        present().close();
        client = null;
        List<Answer.SessionInfo> left = named(direct);
        if (sessions.size() != 1) {
            return Optional.of(sessions.size() + " sessions were opened");
        }
        return left.isEmpty() ? Optional.empty() : Optional.of("closed, and the cell has " + left);
    }

    private List<Answer.SessionInfo> named(HoldfastClient direct) {
        return direct.admin().sessions().stream()
                .filter(session -> session.clientName().equals(clientName()))
                .toList();
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
        }
    }
}
