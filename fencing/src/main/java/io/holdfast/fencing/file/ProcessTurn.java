package io.holdfast.fencing.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One thread at a time, in all processes of a machine: a lock of this process, then the operating system's on a file. The
 * system's goes with its process, however that ends. The file is never deleted: two processes would then lock two files.
 *
 * <p><b>Thread:</b> any; waits without a bound.
 */
final class ProcessTurn {
    /** The system's lock is the whole process', so threads need one of their own; by file, one entry each. */
    private static final ConcurrentHashMap<Path, ReentrantLock> IN_THIS_PROCESS = new ConcurrentHashMap<>();

    private final Path file;
    private final ReentrantLock inThisProcess;

    /**
     * The turn that goes with a file.
     *
     * @param file absolute, with its links resolved; made when missing
     */
    ProcessTurn(Path file) {
        this.file = file;
        this.inThisProcess = IN_THIS_PROCESS.computeIfAbsent(file, path -> new ReentrantLock());
    }

    boolean isMine() {
        return inThisProcess.isHeldByCurrentThread();
    }

    /** Waits for the turn; an interrupt while it waits for another process ends that with an exception. */
    Taken take() throws IOException {
        inThisProcess.lock();
        boolean taken = false;
        try {
            FileChannel channel = lockedChannel();
            taken = true;
            return () -> release(channel);
        } finally {
            if (!taken) {
                inThisProcess.unlock();
            }
        }
    }

    private FileChannel lockedChannel() throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            channel.lock();
            return channel;
        } catch (IOException | RuntimeException e) {
            try (channel) {
                throw e;
            }
        }
    }

    private void release(FileChannel channel) {
        try {
            channel.close(); // ends the system's lock
        } catch (IOException e) {
            // The lock is gone with the descriptor all the same, and what was done under it is done: nobody to tell.
        } finally {
            inThisProcess.unlock();
        }
    }

    /** To be closed by the thread that took it. */
    interface Taken extends AutoCloseable {
        @Override
        void close();
    }
}
