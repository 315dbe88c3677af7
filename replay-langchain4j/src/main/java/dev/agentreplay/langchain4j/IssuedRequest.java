package dev.agentreplay.langchain4j;

import dev.agentreplay.langchain4j.ReplayedInvocation.Answer;
import dev.agentreplay.langchain4j.ReplayedInvocation.LiveModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A request that an invocation issues to a model. */
record IssuedRequest(ReplayedInvocation invocation, ChatRequest request, ModelDefaults defaults) {

  /** Answers the request, as the replay says. */
  Answer ask(Consumer<String> pieces, @Nullable LiveModel model) throws Exception {
    return invocation.ask(request, defaults, pieces, model);
  }
}
