package dev.agentreplay.springai.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains the failure to inject a wrapped bean by a class that the wrapper is not. */
final class FinalModelFailureAnalyzer
    extends AbstractFailureAnalyzer<BeanNotOfRequiredTypeException> {

  @Override
  protected @Nullable FailureAnalysis analyze(
      Throwable root, BeanNotOfRequiredTypeException cause) {
    Class<?> required = cause.getRequiredType();
    if (!cause.getActualType().getName().startsWith("dev.agentreplay.springai.")) {
      return null;
    }
    Class<?> type =
        ChatModel.class.isAssignableFrom(required) ? ChatModel.class : ToolCallingManager.class;
    return new FailureAnalysis(
        "The bean '%s' is wrapped, to record or replay its calls. It is requested as %s, a class"
                .formatted(cause.getBeanName(), required.getName())
            + " that is final or has final methods, so that the wrapper cannot be one.",
        "Request it as %s, with @Qualifier(\"%s\") if there are several. Or exclude it with"
                .formatted(type.getName(), cause.getBeanName())
            + " replay.exclude=%s: then the calls of ChatClient beans are recorded and replayed,"
                .formatted(cause.getBeanName())
            + " others execute it, also in a replay.",
        cause);
  }
}
