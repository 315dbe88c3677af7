package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Settings;
import dev.agentreplay.model.Settings.Setting;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** For any settings of an agent, the log states the last of each name, and no change twice. */
class SettingsPropertiesTest {

  @Property(tries = 60)
  void log_states_the_last_setting_of_each_name(
      @ForAll @Size(max = 12)
          List<
                  @Size(max = 3) Map<
                      @CharRange(from = 'a', to = 'c') Character, @IntRange(max = 2) Integer>>
              given,
      @ForAll @IntRange(max = 11) int resumedAt)
      throws IOException {
    Path directory = Files.createTempDirectory("settings");
    try {
      Map<String, JsonValue> expected = new HashMap<>();
      int written = 0;
      SessionRecorder session = SessionRecorder.start(directory, "s");
      for (int i = 0; i < given.size(); i++) {
        if (i == resumedAt) {
          session.close();
          session = SessionRecorder.resume(directory, RecorderOptions.defaults());
        }
        Map<String, JsonValue> values = new HashMap<>();
        given
            .get(i)
            .forEach(
                (name, value) -> values.put(name.toString(), JsonNumber.of(value.longValue())));
        boolean isChange = !expected.entrySet().containsAll(values.entrySet());
        assertThat(session.settings(settings(values)) != null).isEqualTo(isChange);
        expected.putAll(values);
        written += isChange ? 1 : 0;
      }
      session.close();

      List<Settings> log = settings(directory);
      assertThat(log).hasSize(written);
      Map<String, JsonValue> stated = new HashMap<>();
      log.forEach(settings -> settings
          .values()
          .names()
          .forEach(name -> stated.put(name, settings.get(name).value())));
      assertThat(stated).isEqualTo(expected);
    } finally {
      TestFiles.delete(directory);
    }
  }

  @Test
  void threads_that_give_the_same_settings_write_them_once(@TempDir Path directory)
      throws Exception {
    int threads = 8;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (SessionRecorder session =
        SessionRecorder.start(directory, SessionStart.of("s"), RecorderOptions.defaults())) {
      Settings same = settings(Map.of("model", JsonNumber.of(5)));
      List<Callable<WrittenEvent>> calls = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        calls.add(() -> session.settings(same));
      }
      int written = 0;
      for (Future<WrittenEvent> call : pool.invokeAll(calls)) {
        written += call.get() == null ? 0 : 1;
      }
      assertThat(written).isEqualTo(1);
    } finally {
      pool.shutdownNow();
    }
    assertThat(settings(directory)).hasSize(1);
  }

  private static Settings settings(Map<String, JsonValue> values) {
    Map<String, Setting> settings = new HashMap<>();
    values.forEach((name, value) -> settings.put(name, new Setting(value, Settings.FILE)));
    return Settings.of(settings);
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
