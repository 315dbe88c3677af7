package dev.agentreplay.junit;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.ReplayStoppedException;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionStart;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.AssertionFailedError;

/**
 * Resolves the parameters that {@link ReplaySession} describes, and ends the replay of a test. For
 * a test that fails, it writes an HTML page in the directory {@code replay} that JUnit publishes
 * for the test: the comparison of its session with the recording, or else the session.
 */
public final class ReplayExtension
    implements ParameterResolver,
        LifecycleMethodExecutionExceptionHandler,
        TestExecutionExceptionHandler,
        BeforeEachCallback,
        BeforeTestExecutionCallback,
        AfterTestExecutionCallback,
        AfterEachCallback {

  /** The environment variables of a test run, if they are not those of the process. */
  record Environment(Map<String, String> variables) {}

  static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(ReplayExtension.class);

  private static final String BOTH =
      "an AgentScope records by itself: expected no SessionRecorder in the same test";

  /** The scope of a test with the place of its recording. */
  private record StartedScope(TestScope scope, Path place, AtomicBoolean isEnded) {

    /** Returns whether the scope has not ended yet. */
    boolean end() {
      return isEnded.compareAndSet(false, true);
    }
  }

  /** The recordings that a test requested and that do not exist yet. */
  private record Planned(List<Session> recordings) {}

  /** The folder of recordings of the test around this one, in a test that runs tests; or null. */
  private record FolderBefore(@Nullable Supplier<Path> folder) {}

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
        || type == AgentScope.class
        || TestHooks.isSandbox(type)
        || (type == Session.class
            && (parameter.isAnnotated(ReplaySession.class) || !hasSource(context)));
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    try {
      Class<?> type = parameter.getParameter().getType();
      if (type == Session.class) {
        return recording(parameter, context);
      }
      if (TestHooks.isSandbox(type)) {
        return sandbox(parameter, context);
      }
      return type == AgentScope.class ? scope(parameter, context) : recorder(context);
    } catch (IOException | IllegalArgumentException e) {
      throw new ParameterResolutionException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw ended(context, failure);
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw ended(context, failure);
  }

  @Override
  public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    boolean isAfterEnd = startedScope(context) != null
        && context.getExecutionException().isEmpty()
        && Failed.causes(failure).stream().anyMatch(ReplayStoppedException.class::isInstance);
    throw isAfterEnd
        ? new AssertionFailedError(
            "an @AfterEach method made a request, but a replay ends with the test method", failure)
        : failure;
  }

  /** Ends the replay of a test that failed or was aborted. Returns the exception to throw. */
  private static Throwable ended(ExtensionContext context, Throwable failure) {
    StartedScope started = startedScope(context);
    if (started == null || !started.end()) {
      return failure;
    }
    return started.scope().failed(failure);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    Supplier<Path> before = RecordingRules.searchUpTo(() -> settings(context).recordings());
    context.getStore(NAMESPACE).put(FolderBefore.class, new FolderBefore(before));
  }

  @Override
  public void beforeTestExecution(ExtensionContext context) {
    boolean hasScope = startedScope(context) != null
        || context
            .getTestMethod()
            .filter(method -> List.of(method.getParameterTypes()).contains(AgentScope.class))
            .isPresent();
    if (!hasScope && isReplay(context)) { // the model and tools would run
      throw new AssertionFailedError(
          "nothing can be replayed: expected an AgentScope as a parameter of the test method, or of"
              + " a @BeforeEach method");
    }
  }

  @Override
  public void afterTestExecution(ExtensionContext context) throws IOException {
    StartedScope started = startedScope(context);
    if (started != null && context.getExecutionException().isEmpty() && started.end()) {
      started.scope().passed();
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    try {
      end(context);
    } finally {
      FolderBefore before = context.getStore(NAMESPACE).get(FolderBefore.class, FolderBefore.class);
      if (before != null) {
        RecordingRules.searchUpTo(before.folder());
      }
    }
  }

  private static void end(ExtensionContext context) throws IOException {
    StartedScope started = startedScope(context);
    try (TestScope scope = started == null ? null : started.scope();
        SessionRecorder recorder = startedRecorder(context)) {
      Throwable failure = context.getExecutionException().orElse(null);
      if (failure != null) {
        Session session =
            recorder != null ? recorder.session() : scope == null ? null : scope.session();
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

  /** Whether the annotation of a test method itself has the mode of a replay. */
  private static boolean isReplay(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(context.getElement(), ReplaySession.class)
        .filter(session -> session.mode() != ReplayMode.VALIDATION)
        .isPresent();
  }

  /** The settings of a test run. */
  static ReplaySettings settings(ExtensionContext context) {
    Environment environment =
        context.getRoot().getStore(NAMESPACE).get(Environment.class, Environment.class);
    return ReplaySettings.of(
        name -> context.getConfigurationParameter(name).orElse(null),
        environment == null ? System.getenv() : environment.variables());
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
    RecordingsFolder folder = folder(context);
    Path place = ReplayRequest.of(parameter.getParameter(), context)
        .place(folder, parameter.getParameter(), context);
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

  /** Whether the test also records the session that it requests, or may do so. */
  private static boolean isRecorded(ParameterContext parameter, ExtensionContext context) {
    return startedRecorder(context) != null
        || startedScope(context) != null
        || records(parameter.getDeclaringExecutable())
        || context.getTestMethod().filter(ReplayExtension::records).isPresent();
  }

  private static boolean records(Executable method) {
    List<Class<?>> types = List.of(method.getParameterTypes());
    return types.contains(SessionRecorder.class) || types.contains(AgentScope.class);
  }

  private static AgentScope scope(ParameterContext parameter, ExtensionContext context)
      throws IOException {
    if (context.getTestMethod().isEmpty()) {
      throw new ParameterResolutionException(
          "an AgentScope is created for each test: expected it as a parameter of a test method, or"
              + " of a @BeforeEach or @AfterEach method");
    }
    if (startedRecorder(context) != null) {
      throw new ParameterResolutionException(BOTH);
    }
    ReplayRequest request = ReplayRequest.of(parameter.getParameter(), context);
    Path place = request.place(folder(context), parameter.getParameter(), context);
    StartedScope started = startedScope(context);
    if (started == null) {
      UnusedRecordings.use(place);
      started = new StartedScope(
          new TestScopes(request, place, context).start(), place, new AtomicBoolean());
      context.getStore(NAMESPACE).put(StartedScope.class, started);
    } else if (!started.place().equals(place)) {
      throw new ParameterResolutionException(
          "a test replays one recording: expected %s, found %s".formatted(started.place(), place));
    }
    return started.scope().scope();
  }

  /** The sandbox of the replay of a test, which it starts. */
  private static Object sandbox(ParameterContext parameter, ExtensionContext context)
      throws IOException {
    scope(parameter, context);
    StartedScope started = startedScope(context);
    Object sandbox =
        started != null && started.scope() instanceof TestReplay replay ? replay.sandbox() : null;
    if (sandbox == null) {
      throw new ParameterResolutionException("expected a ReplaySandbox also as a parameter of the"
          + " test method, or of a @BeforeReplay method");
    }
    return sandbox;
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
    if (startedScope(context) != null) {
      throw new ParameterResolutionException(BOTH);
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

  private static @Nullable StartedScope startedScope(ExtensionContext context) {
    return context.getStore(NAMESPACE).get(StartedScope.class, StartedScope.class);
  }

  /** Whether a session is an argument of a parameterized test. */
  private static boolean hasSource(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getElement(), ReplaySessionSource.class);
  }
}
