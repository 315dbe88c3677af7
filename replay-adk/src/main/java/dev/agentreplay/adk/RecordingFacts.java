package dev.agentreplay.adk;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a recording on which the form of a replay depends.
 *
 * @param hasTools whether it states the tools, as an imported one does not
 * @param isImported whether it was imported
 * @param lanes the ids of its agents other than the first
 */
record RecordingFacts(boolean hasTools, boolean isImported, Set<String> lanes) {

  /** Reads the facts; those of no recording are those of {@link AdkRecorder}. */
  static RecordingFacts of(@Nullable Session session) {
    if (session == null) {
      return new RecordingFacts(true, false, Set.of());
    }
    boolean hasTools = false;
    boolean isImported = false;
    Set<String> lanes = new HashSet<>();
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line : reader) {
        ReplayEvent event = line.event();
        hasTools |= event instanceof Settings settings && settings.get(Settings.TOOLS) != null;
        isImported |=
            event instanceof ReplayHeader && event.meta().extra().has(Names.IMPORTED_FROM);
        if (event.meta().agent() != null) {
          lanes.add(event.meta().agent());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new RecordingFacts(hasTools, isImported, lanes);
  }

  /**
   * Whether an agent is the main one of an imported recording: there it is the first that calls a
   * model, which may be a part of the agent of the run.
   */
  boolean isMain(String agent) {
    return isImported && !lanes.contains(agent);
  }
}
