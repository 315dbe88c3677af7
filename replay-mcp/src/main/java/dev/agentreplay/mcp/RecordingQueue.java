package dev.agentreplay.mcp;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/**
 * The lines that wait to be recorded, so that no line waits for the disk: it is passed on when it
 * is in the queue, and recorded on a thread of the queue. A disk that is too slow makes lines wait
 * when those in the queue have {@value #MAX_BYTES} bytes. Safe for use by several threads.
 */
final class RecordingQueue {

  private static final int MAX_BYTES = 2 * LineFeed.MAX_BYTES;

  /** The size of a line in memory in addition to its bytes. */
  private static final int OVERHEAD = 128;

  private final MessageRecording recording;
  private final BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
  private final Semaphore free = new Semaphore(MAX_BYTES);
  private final Thread thread = new Thread(this::run, "replay-mcp-recording");
  private volatile boolean isEnded;

  RecordingQueue(MessageRecording recording) {
    this.recording = recording;
    thread.setDaemon(true);
    thread.start();
  }

  /** The lines of a side, in the order in which they are added. */
  LineFeed lines(Side side) {
    return new LineFeed(new LineFeed.Lines() {
      @Override
      public void line(String text, int bytes) {
        long nanos = recording.nanoTime();
        int size = bytes + OVERHEAD;
        free.acquireUninterruptibly(size);
        add(() -> {
          recording.add(side, text, nanos);
          free.release(size);
        });
      }

      @Override
      public void tooLong(long bytes) {
        add(() -> recording.skip(side, bytes));
      }
    });
  }

  private void add(Runnable line) {
    waiting.add(line);
  }

  private void run() {
    try {
      while (!isEnded) {
        waiting.take().run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until all lines are recorded. */
  void end() throws InterruptedException {
    add(() -> isEnded = true);
    thread.join();
  }
}
