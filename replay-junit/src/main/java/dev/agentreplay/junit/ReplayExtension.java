package dev.agentreplay.junit;

import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionStart;
import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.AssertionFailedError;

/**
 * Resolves the parameters that {@link ReplaySession} describes. For a test that fails, it writes an
 * HTML page in the directory {@code replay} that JUnit publishes for the test: the comparison of
 * its session with the recording, or else the session.
 */
public final class ReplayExtension implements ParameterResolver, AfterEachCallback {

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(ReplayExtension.class);

  /** The recordings that a test requested and that do not exist yet. */
  private record Planned(List<Session> recordings) {}

  /**
   * Creates the extension; called by JUnit.
   *
   * @throws org.junit.jupiter.api.extension.ExtensionConfigurationException if JUnit is older than
   *     5.12
   */
  public ReplayExtension() {
    JUnitVersion.require();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == SessionRecorder.class
        || (type == Session.class
            && (parameter.isAnnotated(ReplaySession.class) || !hasSource(context)));
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    try {
      return parameter.getParameter().getType() == Session.class
          ? recording(parameter, context)
          : recorder(context);
    } catch (IOException | IllegalArgumentException e) {
      throw new ParameterResolutionException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    try (SessionRecorder recorder = startedRecorder(context)) {
      Throwable failure = context.getExecutionException().orElse(null);
      if (failure != null) {
        Session session = recorder == null ? null : recorder.session();
        MismatchReports.publish(failure, session, context);
        return;
      }
    }
    for (Session recording : planned(context)) {
      if (Files.notExists(recording.log())) {
        throw new AssertionFailedError(
            "the test compared nothing: call assertThat(recorder).matches(recording); no recording"
                + " at " + Acceptance.place(recording));
      }
    }
  }

  /** The settings of a test run. */
  static ReplaySettings settings(ExtensionContext context) {
    return ReplaySettings.of(
        name -> context.getConfigurationParameter(name).orElse(null), System.getenv());
  }

  /** The folder of recordings of a test run. */
  static RecordingsFolder folder(ExtensionContext context) {
    ReplaySettings settings = settings(context);
    RecordingsFolder folder = new RecordingsFolder(settings.recordings());
    if (settings.unused() != ReplaySettings.Unused.NONE) {
      context
          .getRoot()
          .getStore(NAMESPACE)
          .getOrComputeIfAbsent(
              folder,
              key -> new UnusedRecordings(folder, settings.unused(), TestSelection.of(context)),
              UnusedRecordings.class)
          .ran(context.getRequiredTestClass());
    }
    return folder;
  }

  private static Session recording(ParameterContext parameter, ExtensionContext context)
      throws IOException {
    String value = value(parameter.getParameter(), context);
    if (value == null) {
      throw new ParameterResolutionException(
          "expected @ReplaySession with the name of a recording, on %s, its method or its class"
              .formatted(parameter.getParameter()));
    }
    RecordingsFolder folder = folder(context);
    Path place =
        folder.place(value.replace("{index}", String.join("-", TestOutput.invocations(context))));
    UnusedRecordings.use(place);
    try {
      return folder.open(place);
    } catch (NoSuchFileException e) {
      if (isRecorded(parameter, context)) {
        Session planned = RecordingsFolder.planned(place);
        planned(context).add(planned);
        return planned;
      }
      throw e;
    }
  }

  /** The name of the recording of a parameter; null if no annotation names one. */
  private static @Nullable String value(Parameter parameter, ExtensionContext context) {
    List<AnnotatedElement> elements = new ArrayList<>(List.of(parameter));
    context.getTestMethod().ifPresent(elements::add);
    elements.add(context.getRequiredTestClass());
    List<Class<?>> around = new ArrayList<>(context.getEnclosingTestClasses());
    Collections.reverse(around);
    elements.addAll(around);
    for (AnnotatedElement element : elements) {
      String value = AnnotationSupport.findAnnotation(element, ReplaySession.class)
          .map(ReplaySession::value)
          .orElse("");
      if (!value.isEmpty()) {
        return value;
      }
    }
    return null;
  }

  /** Whether the test also records the session that it requests. */
  private static boolean isRecorded(ParameterContext parameter, ExtensionContext context) {
    return startedRecorder(context) != null
        || List.of(parameter.getDeclaringExecutable().getParameterTypes())
            .contains(SessionRecorder.class)
        || context
            .getTestMethod()
            .filter(method -> List.of(method.getParameterTypes()).contains(SessionRecorder.class))
            .isPresent();
  }

  private static SessionRecorder recorder(ExtensionContext context) throws IOException {
    SessionRecorder started = startedRecorder(context);
    if (started != null) {
      return started;
    }
    if (context.getTestMethod().isEmpty()) {
      throw new ParameterResolutionException(
          "a SessionRecorder is created for each test: expected it as a parameter of a test method,"
              + " or of a @BeforeEach or @AfterEach method");
    }
    TestOutput output = TestOutput.of(context, settings(context).output());
    SessionFolder.clear(output.directory());
    RecorderOptions options = RecorderOptions.defaults().withSalted(false); // the same in every run
    SessionRecorder recorder =
        SessionRecorder.start(output.directory(), SessionStart.of(output.sessionId()), options);
    context.getStore(NAMESPACE).put(SessionRecorder.class, recorder);
    return recorder;
  }

  private static List<Session> planned(ExtensionContext context) {
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(
            Planned.class, key -> new Planned(new CopyOnWriteArrayList<>()), Planned.class)
        .recordings();
  }

  private static @Nullable SessionRecorder startedRecorder(ExtensionContext context) {
    return context.getStore(NAMESPACE).get(SessionRecorder.class, SessionRecorder.class);
  }

  /** Whether a session is an argument of a parameterized test. */
  private static boolean hasSource(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getElement(), ReplaySessionSource.class);
  }
}
