package dev.agentreplay.springai.test;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.junit.ReplayExtension;
import dev.agentreplay.junit.ReplaySession;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/** Passes the scope of each test to the application. */
final class ReplayTestExtension implements BeforeEachCallback, AfterEachCallback {

  /** A parameter as {@link ReplayExtension} resolves it; the test need not have one. */
  private record ScopeParameter(Parameter getParameter) implements ParameterContext {

    static ScopeParameter find() {
      for (Method method : ReplayTestExtension.class.getDeclaredMethods()) {
        if (method.getName().equals("takeScope")) {
          return new ScopeParameter(method.getParameters()[0]);
        }
      }
      throw new AssertionError("takeScope is missing");
    }

    @Override
    public int getIndex() {
      return 0;
    }

    @Override
    public Optional<Object> getTarget() {
      return Optional.empty();
    }
  }

  @SuppressWarnings("unused") // its parameter is resolved
  private static void takeScope(AgentScope scope) {}

  ReplayTestExtension() {}

  @Override
  public void beforeEach(ExtensionContext context) {
    if (isReplay(context)) {
      scopes(context)
          .run((AgentScope) new ReplayExtension().resolveParameter(ScopeParameter.find(), context));
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    scopes(context).run(null);
  }

  /** Whether the test, or a class around it, names a recording. */
  private static boolean isReplay(ExtensionContext context) {
    Optional<ExtensionContext> each = Optional.of(context);
    while (each.isPresent()) {
      boolean isNamed = AnnotationSupport.findAnnotation(
              each.get().getElement(), ReplaySession.class)
          .filter(session -> !session.value().isEmpty())
          .isPresent();
      if (isNamed) {
        return true;
      }
      each = each.get().getParent();
    }
    return false;
  }

  private static TestScopes scopes(ExtensionContext context) {
    return SpringExtension.getApplicationContext(context).getBean(TestScopes.class);
  }
}
