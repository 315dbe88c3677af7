package dev.agentreplay.springai.boot;

import dev.agentreplay.engine.replay.ActiveReplay;
import dev.agentreplay.engine.replay.AgentScope;
import dev.agentreplay.engine.replay.Replay;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.engine.replay.policy.ReplayPolicy;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.springai.CallDestination;
import dev.agentreplay.springai.SpringAiReplayer;
import dev.agentreplay.springai.boot.ReplayProperties.Mode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** The replay of an application: one recorded call of a chat client. */
final class ReplayingActivity implements ReplayActivity {

  private static final Log LOG = LogFactory.getLog("dev.agentreplay.springai");

  /** The exit code of the command {@code replay} for a replay that shows less than it should. */
  private static final int INCONCLUSIVE = 4;

  private final Mode mode;
  private final Path recording;
  private final ActiveReplay replay;
  private final SpringAiReplayer replayer;
  private final AtomicInteger refused = new AtomicInteger();
  private @Nullable ReplayReport report;

  ReplayingActivity(ReplayProperties properties) {
    mode = properties.effectiveMode();
    recording = properties.recording();
    ReplayMode replayed = Objects.requireNonNull(mode.replay());
    ReplayPolicy policy = ReplayPolicy.of(replayed);
    for (Map.Entry<String, Effect> tool : properties.effects().entrySet()) {
      policy = policy.withEffect(tool.getKey(), tool.getValue());
    }
    try {
      replay = Replay.of(Session.open(recording))
          .policy(policy)
          .onUnmatched(properties.onUnmatched())
          .start();
    } catch (IOException e) {
      throw new InvalidConfigurationPropertyValueException(
          "replay.session", recording, String.valueOf(e.getMessage()));
    }
    replayer = SpringAiReplayer.of(replay.scope());
  }

  /** Ends the replay, the first time that it is called, and logs its report. */
  synchronized ReplayReport report() {
    ReplayReport made = report;
    if (made == null) {
      try {
        made = replay.finish();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      report = made;
      if (made.passes()) {
        LOG.info(made.headline());
      } else {
        LOG.error(made.headline());
        made.divergences().forEach(divergence -> LOG.error(divergence.message()));
        made.incomplete().forEach(LOG::error);
      }
      if (refused.get() > 0) {
        LOG.error("refused calls after the recorded one: " + refused.get());
      }
    }
    return made;
  }

  @Override
  public Mode mode() {
    return mode;
  }

  @Override
  public Path directory() {
    return recording;
  }

  /**
   * The destination of a call.
   *
   * @throws IllegalStateException if the recorded call has been replayed
   */
  @Override
  public CallDestination destination() {
    if (replayer.hasEnded()) {
      refused.incrementAndGet();
      throw new IllegalStateException(
          ("refused a call after the end of the recording: replay.mode=%s"
                  + " replays one call of a chat client, found a second one; replay.session=%s holds the"
                  + " first one only. Replay each recorded call in a run of its own, with replay.session"
                  + " set to its directory, or record the whole run as one session in a test with"
                  + " @ReplayTest")
              .formatted(ReplayProperties.name(mode), recording));
    }
    return replayer;
  }

  @Override
  public AgentScope scope() {
    return replay.scope();
  }

  @Override
  public boolean isOneCall() {
    return true;
  }

  @Override
  public int exitCode() {
    ReplayReport ended = report();
    if (refused.get() > 0) {
      return 1;
    }
    return ended.passes() ? 0 : ended.isInconclusive() ? INCONCLUSIVE : 1;
  }

  @Override
  public void destroy() throws IOException {
    try {
      report();
    } finally {
      replay.close();
    }
  }
}
