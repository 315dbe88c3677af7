package dev.agentreplay.springai.boot;

import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.springai.CallDestination;
import dev.agentreplay.springai.SpringAiRecorder;
import dev.agentreplay.springai.boot.ReplayProperties.Mode;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** The recording of an application: each call of a chat client is a session. */
final class RecordingActivity implements ReplayActivity {

  private static final Log LOG = LogFactory.getLog("dev.agentreplay.springai");

  /** Starts a session; tests have disks that fail. */
  @FunctionalInterface
  interface Starter {
    SessionRecorder start(Path directory, SessionStart start, RecorderOptions options)
        throws IOException;
  }

  private final Starter starter;
  private final Path directory;
  private final RecorderOptions options;
  private final ToolListings listings = new ToolListings();
  private final FailureHistory failures = new FailureHistory();
  private final SpringAiRecorder recorder;

  RecordingActivity(ReplayProperties properties) {
    this(properties, SessionRecorder::start);
  }

  RecordingActivity(ReplayProperties properties, Starter starter) {
    this.starter = starter;
    directory = properties.recordings();
    RecorderOptions defaults = RecorderOptions.defaults();
    options = defaults
        .withFailurePolicy(properties.record().failurePolicy())
        .withWriter(defaults.writer().withDurability(properties.record().durability()));
    recorder = SpringAiRecorder.of(this::start).onFailure(failures::add);
    LOG.info("recording the calls of chat clients in " + directory.toAbsolutePath());
  }

  private SessionRecorder start(SessionStart start) throws IOException {
    String id = start.meta().sessionId();
    SessionRecorder session =
        starter.start(directory.resolve(SpringAiRecorder.directoryName(id)), start, options);
    try {
      listings.writeTo(session);
    } catch (RuntimeException e) { // the session continues without the lists
      failures.add(new RecordingFailure(String.valueOf(id), "Settings", e));
    } catch (IOException e) {
      session.close();
      throw e;
    }
    return session;
  }

  /** The lists of tools of servers, which belong to each session. */
  ToolListings listings() {
    return listings;
  }

  /** The failures of recording. */
  FailureHistory failures() {
    return failures;
  }

  /** The recorder. */
  SpringAiRecorder recorder() {
    return recorder;
  }

  @Override
  public Mode mode() {
    return Mode.RECORD;
  }

  @Override
  public Path directory() {
    return directory;
  }

  @Override
  public CallDestination destination() {
    return recorder;
  }

  @Override
  public @Nullable AgentScope scope() {
    return null;
  }

  @Override
  public int exitCode() {
    return 0;
  }

  @Override
  public void destroy() {
    recorder.close();
  }
}
