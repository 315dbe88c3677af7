package dev.agentreplay.langchain4j;

import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.AiServices;
import java.lang.reflect.Field;

/** The context of a builder of services, which only subclasses of the builder can access. */
final class ServiceContext {

  private ServiceContext() {}

  /**
   * Returns the context of a builder.
   *
   * @throws IllegalStateException if it cannot be read in this version of LangChain4j
   */
  static AiServiceContext of(AiServices<?> builder) {
    try {
      Field context = AiServices.class.getDeclaredField("context");
      context.setAccessible(true);
      return (AiServiceContext) context.get(builder);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException("cannot read the builder: " + e.getMessage(), e);
    }
  }
}
