package dev.agentreplay.mcp;

import dev.agentreplay.io.agent.GuardedSession;
import dev.agentreplay.io.agent.RecordingFailures;
import dev.agentreplay.model.SessionEnd;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import java.util.concurrent.atomic.AtomicBoolean;

/** The recording of messages of the SDK. A failure never reaches the caller. */
final class SdkRecording {

  private final GuardedSession session;
  private final MessageRecording messages;
  private final AtomicBoolean isEnded = new AtomicBoolean();

  SdkRecording(GuardedSession session) {
    this.session = session;
    this.messages = new MessageRecording(session);
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
    messages.add(sender, text, messages.nanoTime());
  }

  /** Ends the session, unless it is a session of the caller. */
  void end(SessionEnd end) {
    if (isEnded.compareAndSet(false, true)) {
      messages.end(end);
    }
  }
}
