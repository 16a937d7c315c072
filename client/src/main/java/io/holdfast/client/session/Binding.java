package io.holdfast.client.session;

import io.holdfast.model.Limits;
import io.holdfast.model.SessionId;
import io.holdfast.protocol.frame.ClientFrame;
import org.jspecify.annotations.Nullable;

/**
 * Which session the present stream speaks for: the session's identity, and the Open or Attach that binds it.
 *
 * <p><b>Thread:</b> the machine's. <b>Source:</b> R3.1, R6.4 (each attach carries a higher number, C33).
 */
final class Binding {
    /** How far the stream is bound. */
    private enum Step {
        NONE,
        ASKED,
        BOUND
    }

    /** Refusals or interruptions in a row on one stream after which another endpoint is tried. */
    private static final int MAX_TRIES_PER_STREAM = 3;

    private final SessionConfig config;
    private final RandomSource random;
    private final Outbox outbox;
    private final LeaseClock lease;

    private Step step = Step.NONE;
    private byte[] secret;
    private @Nullable SessionId session;
    private long attachment;
    private long epoch;
    private boolean wanted;
    private boolean openSent;
    /** Number of the first Open with the present secret. */
    private long firstOpen;
    /** Newest session that was opened here, or told to be over; ids only rise. */
    private long newestKnown;
    /** Not before then does anything go out on this stream. */
    private long resumeAt = Long.MIN_VALUE;

    private int tries;

    Binding(SessionConfig config, RandomSource random, Outbox outbox, LeaseClock lease) {
        this.config = config;
        this.random = random;
        this.outbox = outbox;
        this.lease = lease;
        this.secret = drawSecret();
    }

    private byte[] drawSecret() {
        byte[] drawn = new byte[Limits.SECRET_BYTES];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = (byte) random.next(256);
        }
        return drawn;
    }

    void want() {
        wanted = true;
    }

    void noLongerWant() {
        wanted = false;
        step = Step.NONE;
    }

    boolean isWanted() {
        return wanted;
    }

    boolean isBound() {
        return step == Step.BOUND;
    }

    boolean isAsked() {
        return step == Step.ASKED;
    }

    boolean isDue(long now) {
        return wanted && step == Step.NONE && now >= resumeAt;
    }

    /** Sends the Open, or the Attach if the session is open already. */
    void bind(long now) {
        step = Step.ASKED;
        if (session == null) {
            long number = lease.openSent(now);
            firstOpen = openSent ? firstOpen : number;
            openSent = true;
            outbox.send(new ClientFrame.Open(
                    number, secret, config.leaseMillis(), config.clientName(), config.cacheBytes() > 0));
        } else {
            attachment++; // R6.4: raised with every attach, so that a late one cannot take the session back (C33)
            outbox.send(new ClientFrame.Attach(session, secret, attachment));
        }
    }

    /** Whether this answers an Open with the present secret: another session would not be ours to renew (R3.1). */
    boolean opened(long sendNumber, SessionId id, long atEpoch) {
        if (step != Step.ASKED || session != null || sendNumber < firstOpen) {
            return false;
        }
        session = id;
        newestKnown = Math.max(newestKnown, id.value());
        epoch = atEpoch;
        step = Step.BOUND;
        tries = 0;
        return true;
    }

    /** Whether this answers our latest Attach. */
    boolean attached(SessionId id, long number, long atEpoch) {
        if (step != Step.ASKED || !id.equals(session) || number != attachment) {
            return false;
        }
        epoch = atEpoch;
        step = Step.BOUND;
        tries = 0;
        return true;
    }

    /** What was opened ended before it was ever safe: nobody has seen it, so another may take its place. */
    void openAnew(long resume) {
        session = null;
        openSent = false;
        secret = drawSecret();
        attachment = 0;
        lease.forgetOpen();
        step = Step.NONE;
        resumeAt = resume;
    }

    /**
     * The cell says that this session is over. Whether that answers our Open, which is not answered yet: it is named by our secret
     * only, so the session may be one that we have not heard of. The end of an earlier one, told again, is no answer to it.
     */
    boolean toldOfEnd(SessionId id) {
        boolean news = id.value() > newestKnown;
        newestKnown = Math.max(newestKnown, id.value());
        return news && step == Step.ASKED && session == null;
    }

    /** In another deployment ids begin anew. */
    void anotherDeployment() {
        newestKnown = 0;
    }

    /** The way to the leader broke; whether this stream is worth another try. */
    boolean interrupted(long resume) {
        step = Step.NONE;
        resumeAt = resume;
        tries++;
        return tries < MAX_TRIES_PER_STREAM;
    }

    void streamLost() {
        step = Step.NONE;
        tries = 0;
        resumeAt = Long.MIN_VALUE;
    }

    void epochSeen(long seen) {
        epoch = Math.max(epoch, seen);
    }

    int tries() {
        return tries;
    }

    long resumeAt() {
        return resumeAt;
    }

    @Nullable
    SessionId session() {
        return session;
    }

    /** Whether the cell may know a session of ours. */
    boolean mayExist() {
        return openSent || session != null;
    }

    boolean isOurs(SessionId id) {
        return id.equals(session);
    }

    long epoch() {
        return epoch;
    }

    /** Of the last attach; 0 for what an Open bound. */
    long attachment() {
        return attachment;
    }
}
