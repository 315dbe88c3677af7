package dev.agentreplay.springai;

import java.lang.reflect.Field;
import java.util.List;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.aop.TargetClassAware;
import org.springframework.util.ReflectionUtils;

/** Tells whether the model of a chat client is not wrapped. */
final class UnwrappedModels {

  private UnwrappedModels() {}

  /**
   * Whether a chain of advisors ends in a model that is not wrapped. Reads a private field, because
   * Spring AI has no accessor for it; a model that cannot be read counts as wrapped, and so does a
   * proxy, which may be of a wrapped one.
   */
  static boolean of(List<? extends Advisor> chain) {
    for (Advisor advisor : chain) {
      if (advisor.getClass().getName().startsWith("org.springframework.ai.")) {
        Field field = ReflectionUtils.findField(advisor.getClass(), "chatModel");
        if (field != null) {
          ReflectionUtils.makeAccessible(field);
          Object model = ReflectionUtils.getField(field, advisor);
          if (model != null
              && !(model instanceof WrappedChatModel)
              && !(model instanceof TargetClassAware)) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
