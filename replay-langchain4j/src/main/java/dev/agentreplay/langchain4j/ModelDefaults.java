package dev.agentreplay.langchain4j;

import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import org.jspecify.annotations.Nullable;

/**
 * Properties of a model that its requests do not state.
 *
 * @param parameters the parameters that a request overrides; null if unknown
 * @param provider the provider; null if unknown
 */
record ModelDefaults(@Nullable ChatRequestParameters parameters, @Nullable ModelProvider provider) {

  static final ModelDefaults UNKNOWN = new ModelDefaults(null, null);
}
