package dev.agentreplay.mcp;

import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RecordingFailures;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.Status;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The recording of messages of the SDK. A failure never reaches the caller. */
final class SdkRecording {

  private final GuardedSession session;
  private final MessageRecording messages;
  private final AtomicBoolean isEnded = new AtomicBoolean();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  SdkRecording(GuardedSession session) {
    this.session = session;
    this.messages = new MessageRecording(session, false);
  }

  void add(Side sender, JSONRPCMessage message) {
    String text;
    try {
      text = SdkMessages.text(message);
    } catch (Throwable e) {
      RecordingFailures.rethrowIfFatal(e);
      session.report("message", e);
      session.leaveGap("a message was not recorded: " + e.getClass().getName());
      return;
    }
    messages.add(sender, () -> text, messages.nanoTime());
  }

  /** Notes that the transport has failed. */
  void failed(Throwable cause) {
    failure.compareAndSet(null, cause);
  }

  /**
   * Ends the session, unless it is a session of the caller: with success if the transport has not
   * failed, and each request of the client was answered or cancelled. Without an end if a message
   * that cannot be read may be the response to a request.
   */
  void end() {
    if (isEnded.compareAndSet(false, true)) {
      if (failure.get() == null && messages.openRequests() == 0 && messages.isUnsure()) {
        messages.close();
      } else {
        messages.end(sessionEnd());
      }
    }
  }

  private SessionEnd sessionEnd() {
    Throwable cause = failure.get();
    long openRequests = messages.openRequests();
    if (cause != null) {
      return SessionEnd.of(Status.FAILED)
          .withSummary("the transport failed: %s; %d requests were not answered"
              .formatted(Failure.message(cause), openRequests));
    }
    return openRequests == 0
        ? SessionEnd.of(Status.SUCCESS)
        : SessionEnd.of(Status.FAILED)
            .withSummary("the transport was closed, and %d requests were not answered"
                .formatted(openRequests));
  }
}
