package dev.agentreplay.engine.subject;

import dev.agentreplay.engine.subject.SubjectMessage.Wrong;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A request that is not answered yet, or a call whose output is late. */
final class SubjectRequest {

  private final SubjectMessage message;
  private final CountDownLatch done = new CountDownLatch(1);

  /** The message of the subject after it was asked to run the call itself. */
  private final CompletableFuture<SubjectMessage> output = new CompletableFuture<>();

  /** Whether the subject runs the call; guarded by this. */
  private boolean isRunByTheSubject;

  /** Whether the answer was made; guarded by this. */
  private boolean isAnswered;

  SubjectRequest(SubjectMessage message) {
    this.message = message;
  }

  /** The message of the request. */
  SubjectMessage message() {
    return message;
  }

  /**
   * Asks the subject to run the call, and waits for the output.
   *
   * @throws InterruptedException if the call timed out, or the conversation has ended
   */
  SubjectMessage runBySubject(SubjectOutput out)
      throws IOException, InterruptedException, ExecutionException {
    synchronized (this) {
      if (!isAnswered) { // it timed out before
        out.send(SubjectOutput.message(message.id(), "execute"));
        isRunByTheSubject = true;
      }
    }
    return output.get();
  }

  /** Takes the output. Returns whether it is late. */
  synchronized boolean take(SubjectMessage sent) throws Wrong {
    if (!isRunByTheSubject) {
      throw notToBeRun(sent);
    }
    if (message.type() == SubjectMessage.Type.TOOL) {
      SubjectResults.tool("", sent);
    } else {
      SubjectResults.model("", sent);
    }
    isRunByTheSubject = false;
    output.complete(sent);
    return isAnswered;
  }

  /** The violation of a subject that sends an output that it was not asked for. */
  static Wrong notToBeRun(SubjectMessage output) {
    return new Wrong(output.id(), "\"output\" of a call that was not to be run");
  }

  /** Ends waiting for the output. Returns whether the subject is still to send it. */
  synchronized boolean answered() {
    isAnswered = true;
    return isRunByTheSubject;
  }

  /** States that the subject did not read the answer. */
  synchronized void notRead() {
    isAnswered = false;
  }

  /** Whether the call was answered, and its output was not sent yet. */
  synchronized boolean isLate() {
    return isAnswered && isRunByTheSubject;
  }

  /** States that nothing is done for the request any more. */
  void done() {
    done.countDown();
  }

  /** Waits until nothing is done for the request any more. */
  void await() throws InterruptedException {
    done.await();
  }

  /** Returns whether nothing is done for the request any more, after some time at most. */
  boolean await(long nanos) throws InterruptedException {
    return done.await(nanos, TimeUnit.NANOSECONDS);
  }
}
