package dev.agentreplay.junit;

import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Parameter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The members of {@link ReplaySession} for a parameter: each of the nearest annotation that
 * specifies it, on the parameter, the method, the class or an enclosing class.
 *
 * @param name the name of the recording; null if no annotation has one
 * @param mode the mode; {@code VALIDATION} if no annotation has a different one
 * @param onUnmatched the behavior on a request without a match
 */
record ReplayRequest(@Nullable String name, ReplayMode mode, OnUnmatched onUnmatched) {

  static ReplayRequest of(Parameter parameter, ExtensionContext context) {
    List<AnnotatedElement> elements = new ArrayList<>(List.of(parameter));
    context.getTestMethod().ifPresent(elements::add);
    elements.add(context.getRequiredTestClass());
    List<Class<?>> around = new ArrayList<>(context.getEnclosingTestClasses());
    Collections.reverse(around);
    elements.addAll(around);
    String name = null;
    ReplayMode mode = ReplayMode.VALIDATION;
    OnUnmatched onUnmatched = OnUnmatched.STOP;
    for (AnnotatedElement element : elements) {
      ReplaySession found =
          AnnotationSupport.findAnnotation(element, ReplaySession.class).orElse(null);
      if (found != null) {
        name = name == null && !found.value().isEmpty() ? found.value() : name;
        mode = mode == ReplayMode.VALIDATION ? found.mode() : mode;
        onUnmatched = onUnmatched == OnUnmatched.STOP ? found.onUnmatched() : onUnmatched;
      }
    }
    return new ReplayRequest(name, mode, onUnmatched);
  }

  /**
   * The place of the recording.
   *
   * @throws ParameterResolutionException if no annotation names it
   */
  Path place(RecordingsFolder folder, Parameter parameter, ExtensionContext context) {
    if (name == null) {
      throw new ParameterResolutionException(
          "expected @ReplaySession with the name of a recording, on %s, its method or its class"
              .formatted(parameter));
    }
    return folder.place(name.replace("{index}", String.join("-", TestOutput.invocations(context))));
  }
}
