package dev.agentreplay.springai.boot;

import dev.agentreplay.io.agent.RecordingFailure;
import dev.agentreplay.springai.SpringAiRecorder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The actuator endpoint {@code replay}: the mode, the directory and, while the application is
 * recorded, the counts, the open sessions and the last failures. It shows no content of a session.
 * Safe for use by several threads.
 */
@Endpoint(id = "replay")
public final class ReplayEndpoint {

  private final ReplayActivity activity;

  ReplayEndpoint(ReplayActivity activity) {
    this.activity = activity;
  }

  /** Returns the state of the recording or the replay. */
  @ReadOperation
  public Map<String, Object> replay() {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("mode", ReplayProperties.name(activity.mode()));
    state.put("directory", activity.directory().toAbsolutePath().normalize().toString());
    if (activity instanceof RecordingActivity recording) {
      SpringAiRecorder recorder = recording.recorder();
      state.put("sessions", recorder.sessions());
      state.put("modelCalls", recorder.modelCalls());
      state.put("toolCalls", recorder.toolCalls());
      state.put("failures", recording.failures().count());
      state.put("open", open(recorder));
      state.put(
          "lastFailures",
          recording.failures().last().stream().map(ReplayEndpoint::map).toList());
    }
    return state;
  }

  private static List<Map<String, Object>> open(SpringAiRecorder recorder) {
    return recorder.openSessions().stream()
        .map(session -> {
          Map<String, Object> map = new LinkedHashMap<>();
          map.put("id", session.id());
          map.put("directory", session.directory().toString());
          map.put("startedAt", session.startedAt().toString());
          map.put("modelCalls", session.modelCalls());
          map.put("toolCalls", session.toolCalls());
          return map;
        })
        .toList();
  }

  private static Map<String, Object> map(FailureHistory.Entry entry) {
    RecordingFailure failure = entry.failure();
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("time", entry.time().toString());
    map.put("session", failure.session());
    map.put("event", failure.event());
    map.put("cause", failure.cause().toString());
    return map;
  }
}
