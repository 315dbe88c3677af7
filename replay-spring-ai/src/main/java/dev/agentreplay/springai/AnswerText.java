package dev.agentreplay.springai;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatResponse;

/** The text of a streamed answer, as much of it as a summary needs. */
final class AnswerText {

  private final StringBuilder text = new StringBuilder();
  private @Nullable RuntimeException failure;

  /** Adds the text of a response. */
  void add(@Nullable ChatResponse response) {
    if (failure != null || response == null || text.length() > RecordedInvocation.MAX_SUMMARY) {
      return;
    }
    try {
      String piece = RecordedModelCall.text(response);
      text.append(piece, 0, Math.min(piece.length(), RecordedInvocation.MAX_SUMMARY + 1));
    } catch (RuntimeException e) { // of a response of any class
      failure = e;
    }
  }

  /** The text; throws the exception of a response whose text cannot be read. */
  String text() {
    if (failure != null) {
      throw failure;
    }
    return text.toString();
  }
}
