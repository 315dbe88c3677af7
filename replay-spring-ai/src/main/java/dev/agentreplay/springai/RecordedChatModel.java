package dev.agentreplay.springai;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.util.function.Supplier;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;

/** The model of a recorded session: its options, without the model. It cannot be called. */
public final class RecordedChatModel implements ChatModel {

  private RecordedChatModel() {}

  /**
   * The model of the main agent of a session.
   *
   * @throws IOException if the log cannot be read
   */
  public static RecordedChatModel of(Session session) throws IOException {
    return new RecordedChatModel();
  }

  /**
   * The model of the main agent of a scope: if it replays, the recorded one, which calls the real
   * model only where the replay executes it; if it records, the real one.
   */
  public static ChatModel of(AgentScope scope, Supplier<? extends ChatModel> model) {
    return model.get();
  }

  @Override
  public ChatResponse call(Prompt prompt) {
    throw new UnsupportedOperationException("a recorded model cannot be called");
  }
}
