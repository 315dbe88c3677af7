package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.context.ContextOptions;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.workspace.Circumstances;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings that a recorder writes by itself, and those that an agent gives. */
class RecordedSettingsTest {

  private static final RecorderOptions OPTIONS =
      RecorderOptions.defaults().withCircumstances(Circumstances.defaults());

  @TempDir
  private Path directory;

  @Test
  void no_settings_are_recorded_by_default() throws IOException {
    SessionRecorder.start(directory, "s").close();
    assertThat(settings(directory)).isEmpty();
  }

  @Test
  void circumstances_are_recorded_once_after_the_start() throws IOException {
    start(directory, OPTIONS.withProducer("p@1")).close();
    SessionRecorder.resume(directory, OPTIONS.withProducer("p@1")).close();
    assertThat(kinds())
        .containsExactly(EventKind.REPLAY_HEADER, EventKind.SESSION_START, EventKind.SETTINGS);
    Settings written = settings(directory).get(0);
    assertThat(written.get(Settings.VERSIONS).value().at("/producer").asString())
        .isEqualTo("p@1");
    assertThat(written.seed()).isNull();
  }

  @Test
  void changed_circumstances_are_recorded_in_a_resumed_session() throws IOException {
    start(directory, OPTIONS.withProducer("p@1")).close();
    SessionRecorder.resume(directory, OPTIONS.withProducer("p@2")).close();
    assertThat(settings(directory))
        .extracting(
            settings -> settings.get(Settings.VERSIONS).value().at("/producer").asString())
        .containsExactly("p@1", "p@2");
  }

  @Test
  void seed_of_the_context_is_recorded_unless_another_is_given() throws IOException {
    RecorderOptions seeded = OPTIONS.withContext(ContextOptions.defaults().withSeed(9L));
    Path one = directory.resolve("one");
    Path two = directory.resolve("two");
    start(one, seeded).close();
    start(two, seeded.withCircumstances(Circumstances.defaults().withSeed(4))).close();
    assertThat(settings(one)).extracting(Settings::seed).containsExactly(9L);
    assertThat(settings(two)).extracting(Settings::seed).containsExactly(4L);
  }

  @Test
  void deterministic_recordings_with_circumstances_are_the_same() throws IOException {
    RecorderOptions options = OPTIONS.withContext(ContextOptions.deterministic());
    List<String> logs = new ArrayList<>();
    for (String name : List.of("one", "two")) {
      try (SessionRecorder session = start(directory.resolve(name), options)) {
        session.end(Status.SUCCESS);
      }
      logs.add(Files.readString(directory.resolve(name).resolve(Session.LOG_NAME)));
    }
    assertThat(logs.get(0)).contains("\"Settings\"").isEqualTo(logs.get(1));
  }

  @Test
  void settings_are_recorded_when_they_change() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      assertThat(session.settings(model("gpt-5"))).isNotNull();
      assertThat(session.settings(model("gpt-5"))).isNull();
      assertThat(session.settings(limit(3))).isNotNull();
      assertThat(session.settings(limit(3))).isNull();
      assertThat(session.settings(model("gpt-5"))).as("other names remain").isNull();
      assertThat(session.settings(model("gpt-5-mini"))).isNotNull();
      session.emit(model("gpt-5"));
      assertThat(session.settings(model("gpt-5"))).as("emitted").isNull();
      assertThat(session.settings(Settings.of(Map.of()))).as("nothing").isNull();
    }
    try (SessionRecorder session = SessionRecorder.resume(directory, RecorderOptions.defaults())) {
      assertThat(session.settings(model("gpt-5"))).as("resumed").isNull();
      assertThat(session.settings(model("gpt-6"))).isNotNull();
    }
    assertThat(settings(directory)).hasSize(5);
  }

  @Test
  void source_of_a_setting_is_compared_and_the_order_of_members_is_not() throws IOException {
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      session.settings(one("p", JsonObject.of("a", 1, "b", 2), null));
      assertThat(session.settings(one("p", JsonObject.of("b", 2, "a", 1), null)))
          .isNull();
      assertThat(session.settings(one("p", JsonObject.of("a", 1, "b", 2), Settings.ENV)))
          .isNotNull();
    }
  }

  private static SessionRecorder start(Path directory, RecorderOptions options) throws IOException {
    return SessionRecorder.start(directory, SessionStart.of("s"), options);
  }

  private static Settings model(String name) {
    return one(Settings.MODEL, JsonString.of(name), null);
  }

  private static Settings limit(int limit) {
    return one("limit", JsonValue.of(limit), Settings.DEFAULT);
  }

  private static Settings one(String name, JsonValue value, String source) {
    return Settings.of(Map.of(name, new Setting(value, source)));
  }

  private List<EventKind> kinds() throws IOException {
    List<EventKind> kinds = new ArrayList<>();
    try (ReplayReader reader = Session.open(directory).reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        kinds.add(line.event().kind());
      }
    }
    return kinds;
  }

  private static List<Settings> settings(Path session) throws IOException {
    List<Settings> found = new ArrayList<>();
    try (ReplayReader reader = Session.open(session).reader()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (line.event() instanceof Settings settings) {
          found.add(settings);
        }
      }
    }
    return found;
  }
}
