package dev.agentreplay.springai.boot;

import dev.agentreplay.engine.replay.policy.Effect;
import dev.agentreplay.engine.replay.policy.OnUnmatched;
import dev.agentreplay.engine.replay.policy.ReplayMode;
import dev.agentreplay.io.recording.Durability;
import dev.agentreplay.io.recording.FailurePolicy;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The properties of the auto-configuration.
 *
 * @param enabled whether the auto-configuration is used at all; null if that follows from
 *     {@code replay.mode} and {@code replay.record.dir}
 * @param mode the mode; null if it follows from {@code replay.record.dir}
 * @param session the recording to replay; null if nothing is replayed
 * @param exclude the names of models and managers of tools that are not wrapped
 * @param onUnmatched the behavior of a replay when the recording has no answer to a request
 * @param effects the effects of tools by name: they decide where a replay executes the tool
 * @param record the options of recording
 */
@ConfigurationProperties("replay")
record ReplayProperties(
    @Nullable Boolean enabled,
    @Nullable Mode mode,
    @Nullable Path session,
    @DefaultValue Set<String> exclude,
    @DefaultValue("stop") OnUnmatched onUnmatched,
    @DefaultValue Map<String, Effect> effects,
    @DefaultValue Recording record) {

  /** The modes. */
  enum Mode {
    /** Neither recording nor replay. */
    OFF(null),
    /** Each call of a chat client is recorded as a session. */
    RECORD(null),
    /** Models and tools are served from the recording. */
    MOCK(ReplayMode.MOCK),
    /** Models are served from the recording, tools are executed. */
    TOOLS_LIVE(ReplayMode.TOOLS_LIVE),
    /** Tools are served from the recording, models are executed. */
    MODEL_LIVE(ReplayMode.MODEL_LIVE),
    /** Models and tools are executed, and compared with the recording. */
    FULL(ReplayMode.FULL);

    private final @Nullable ReplayMode replay;

    Mode(@Nullable ReplayMode replay) {
      this.replay = replay;
    }

    /** The mode of the replay; null if nothing is replayed. */
    @Nullable
    ReplayMode replay() {
      return replay;
    }
  }

  /**
   * The options of recording.
   *
   * @param dir the parent of the directories of sessions
   * @param durability the failures that a written event survives
   * @param failurePolicy the behavior after a failure to write
   */
  record Recording(
      @Nullable Path dir,
      @DefaultValue("written") Durability durability,
      @DefaultValue("fail") FailurePolicy failurePolicy) {}

  /** The mode that the properties state. */
  Mode effectiveMode() {
    if (Boolean.FALSE.equals(enabled)) {
      return Mode.OFF;
    }
    if (mode != null) {
      return mode;
    }
    return record.dir() == null ? Mode.OFF : Mode.RECORD;
  }

  /** The parent of the directories of sessions, in the mode {@code RECORD}. */
  Path recordings() {
    Path dir = record.dir();
    if (dir == null) {
      throw missing("replay.record.dir", "replay.mode is record: expected a directory");
    }
    return dir;
  }

  /** The recording to replay, in a mode that replays. */
  Path recording() {
    if (session == null) {
      throw missing(
          "replay.session",
          "replay.mode is " + name(effectiveMode()) + ": expected the directory of a session");
    }
    return session;
  }

  /** The name of a mode as the value of the property. */
  static String name(Mode mode) {
    return mode.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static RuntimeException missing(String property, String reason) {
    return new InvalidConfigurationPropertyValueException(property, null, reason);
  }
}
