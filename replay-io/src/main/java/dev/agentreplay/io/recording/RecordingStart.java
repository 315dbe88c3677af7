package dev.agentreplay.io.recording;

import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.prompt.PromptHistory;
import dev.agentreplay.io.context.ContextClock;
import dev.agentreplay.io.context.ContextPosition;
import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.io.context.SteppedClock;
import dev.agentreplay.io.file.Disk;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Opens the log of a session for a recorder: a new one, or one to resume. */
final class RecordingStart {

  /** The files of a session that prevent a start, besides its log. */
  private static final List<String> NAMES = List.of(
      Session.RECEIPT_NAME,
      Session.ENVELOPE_NAME,
      Session.PUBLIC_CHECKPOINT_NAME,
      Session.COMPRESSED_LOG_NAME);

  /** The files that seal a session, which cannot be resumed while one exists. */
  private static final List<String> SEALS =
      List.of(Session.RECEIPT_NAME, Session.ENVELOPE_NAME, Session.PUBLIC_CHECKPOINT_NAME);

  /** The step of the times of events while the context has a stepped clock. */
  private static final Duration EVENT_STEP = Duration.ofMillis(1);

  final Disk disk;
  final Path directory;
  final RecorderOptions options;
  final OpenCalls tools = OpenCalls.ofTools();
  final OpenCalls models = OpenCalls.ofModels();
  final EffectIdSource effects;
  final InterruptedCalls interrupted = new InterruptedCalls();

  /** The prompts of the log that is resumed. */
  final PromptHistory prompts;

  /** The position of the values that the log has. */
  final ContextPosition position = new ContextPosition();

  final RecordedSurroundings surroundings;
  final Redaction redaction;

  /** The context of the recorder, once it is created. */
  @Nullable
  DeterministicContext context;

  private final WriterOptions writerOptions;

  /** Whether the log has the start of the session. */
  boolean isStarted;

  /** The salt in the header of the log; null if it has none. */
  @Nullable
  Salt salt;

  RecordingStart(Disk disk, Path directory, RecorderOptions options) {
    this.disk = disk;
    this.directory = directory;
    this.options = options;
    this.effects = new EffectIdSource(options.context().isReproducible());
    this.prompts = SharedPrompts.history(directory);
    this.surroundings = new RecordedSurroundings(options);
    this.redaction = new Redaction(options.redactor());
    this.writerOptions = options.writer().withClock(clock(options));
  }

  /**
   * The clock of the times of events. The values of the context do not depend on it, nor it on
   * them.
   */
  static Clock clock(RecorderOptions options) {
    Clock given = options.writer().clock();
    ContextClock kind = options.context().clock();
    if (!given.equals(Clock.systemUTC())) {
      return given;
    } else if (kind instanceof ContextClock.Stepped stepped) {
      return SteppedClock.of(stepped.start(), EVENT_STEP);
    }
    return kind instanceof ContextClock.Frozen frozen
        ? Clock.fixed(frozen.instant(), ZoneOffset.UTC)
        : given;
  }

  /** The clock of latencies, which are 0 unless the context has the clock of the system. */
  LongSupplier nanoTime() {
    return options.context().clock() instanceof ContextClock.Live ? System::nanoTime : () -> 0;
  }

  /** Starts a session, as {@link SessionRecorder#start} specifies. */
  SessionRecorder start(SessionStart start, LongSupplier nanoTime) throws IOException {
    effects.session(requireId(start));
    for (String name : NAMES) {
      requireAbsent(name);
    }
    Canonicalization canonicalization = options.canonicalization();
    ReplayHeader header = ReplayHeader.of(options.producer())
        .withCanonicalization(
            canonicalization == Canonicalization.SERDE ? null : canonicalization.id())
        .withSalt(options.salted() && !options.context().isReproducible() ? newSalt() : null)
        .withReplayOf(options.replayOf());
    if (options.forkedFrom() != null) {
      header = options.forkedFrom().addTo(header);
    }
    SessionStart first = start;
    if (options.writer().dialect().hasSessionInHeader()) {
      header = header
          .withPolicy(start.policy())
          .withMeta(header.meta().withSessionId(start.meta().sessionId()));
      first = start.withPolicy(null).withMeta(start.meta().withSessionId(null));
    }
    header = (ReplayHeader) redaction.apply(header);
    salt = header.salt();
    SessionAccount account = new SessionAccount(line -> {});
    ReplayWriter writer = create(header, account);
    try {
      writer.emit(redaction.apply(first));
      writeCircumstances(writer);
      writer.sync();
      isStarted = true;
      return new SessionRecorder(this, writer, account, nanoTime);
    } catch (Throwable e) {
      writer.discard(e);
      throw e;
    }
  }

  /** The id of a session, which it must have. */
  static String requireId(SessionStart start) {
    String id = start.meta().sessionId();
    if (id == null) {
      throw new IllegalArgumentException("a session needs an id: SessionStart.of(id) states it;"
          + " to change the metadata of a start, begin with start.meta()");
    } else if (id.isBlank()) {
      throw new IllegalArgumentException("a session needs an id, found \"" + id + "\"");
    }
    return id;
  }

  private static Salt newSalt() {
    byte[] bytes = new byte[Salt.BYTES];
    new SecureRandom().nextBytes(bytes);
    return Salt.of(bytes);
  }

  private void writeCircumstances(ReplayWriter writer) throws IOException {
    Settings settings = surroundings.circumstances(directory);
    if (settings != null) {
      writer.emit(redaction.apply(settings));
      surroundings.found(settings);
    }
  }

  private ReplayWriter create(ReplayHeader header, SessionAccount account) throws IOException {
    try {
      return opening(account).create(header, true);
    } catch (FileAlreadyExistsException e) {
      requireAbsent(Session.LOG_NAME);
      throw e;
    }
  }

  private LogOpening opening(SessionAccount account) {
    return new LogOpening(disk, directory.resolve(Session.LOG_NAME), writerOptions, account);
  }

  /** Resumes a session, as {@link SessionRecorder#resume} specifies. */
  SessionRecorder resume(LongSupplier nanoTime) throws IOException {
    for (String name : SEALS) {
      requireNoReceipt(name);
    }
    SessionAccount account = new SessionAccount(this::add);
    ReplayWriter writer = opening(account).append();
    try {
      writeCircumstances(writer);
      return new SessionRecorder(this, writer, account, nanoTime);
    } catch (Throwable e) {
      try {
        writer.close();
      } catch (Throwable again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  /** Adds a line of the log that is resumed. */
  private void add(ReplayLine line) {
    ReplayEvent event = line.event();
    if (event instanceof ReplayHeader header && line.position().line() == 1) {
      salt = header.salt();
    }
    effects.found(event);
    interrupted.add(event, line.length());
    String id = event.meta().sessionId();
    if (id != null && (event instanceof ReplayHeader || event instanceof SessionStart)) {
      effects.session(id);
    }
    Timestamp time = event.meta().time();
    if (time != null && writerOptions.clock() instanceof SteppedClock clock) {
      clock.advancePast(time.instant());
    }
    if (event instanceof ToolCall call) {
      tools.found(call.id(), call.meta().agent());
    } else if (event instanceof ModelCall call) {
      models.found(call.id(), call.meta().agent());
      addPrompt(call);
    } else if (event instanceof ToolResult result) {
      tools.foundResult(result.id(), result.meta().agent());
    } else if (event instanceof ModelResult result) {
      models.foundResult(result.id(), result.meta().agent());
    } else if (event instanceof SessionStart) {
      isStarted = true;
    } else if (event instanceof Settings settings) {
      surroundings.found(settings);
    } else if (event instanceof RecordedValue value) {
      position.add(value.meta().agent(), value);
    }
  }

  private void addPrompt(ModelCall call) {
    try {
      prompts.read(call);
    } catch (IOException unreadable) {
      // the prompt is then not the base of a later one, and a verifier reports its blob
    }
  }

  private void requireAbsent(String name) throws FileAlreadyExistsException {
    if (disk.exists(directory.resolve(name))) {
      throw new FileAlreadyExistsException(
          directory.toString(),
          null,
          ("it holds a session already (%s exists): record into another directory, such as a new one"
                  + " of startIn()%s")
              .formatted(name, name.equals(Session.LOG_NAME) ? ", or resume() this session" : ""));
    }
  }

  private void requireNoReceipt(String name) throws FileAlreadyExistsException {
    if (disk.exists(directory.resolve(name))) {
      throw new FileAlreadyExistsException(
          directory.toString(),
          null,
          "the session has a receipt (%s); to resume it if it has no end, delete %s"
              .formatted(name, String.join(", ", SEALS)));
    }
  }
}
