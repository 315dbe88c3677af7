package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.Canonicalization;
import dev.agentreplay.canonical.dialect.Dialect;
import dev.agentreplay.io.file.DiskFault;
import dev.agentreplay.io.file.SimulatedDisk;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.log.TestLogs;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.PromptDelta;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.Conversation;
import dev.agentreplay.testkit.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Level;
import java.util.logging.Logger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recorder writes prompts as changes of earlier ones, and readers restore them. */
class SharedPromptsTest {

  private static final Logger LOGGER = Logger.getLogger("dev.agentreplay.io");

  private static final List<DiskFault> FAULTS = List.of(
      DiskFault.FAIL_BEFORE, DiskFault.FAIL_HALF, DiskFault.FAIL_AFTER, DiskFault.FAIL_DROPPED);

  @TempDir
  private Path directory;

  @BeforeContainer
  static void quiet() {
    LOGGER.setLevel(Level.OFF);
  }

  @AfterContainer
  static void unquiet() {
    LOGGER.setLevel(null);
  }

  private static List<ModelCall> calls(Session session, boolean full) throws IOException {
    List<ModelCall> calls = new ArrayList<>();
    try (ReplayReader reader = full ? session.readerWithFullPrompts() : session.reader()) {
      for (ReplayLine line : reader) {
        if (line.event() instanceof ModelCall call) {
          calls.add(call);
        }
      }
    }
    return calls;
  }

  @Property(tries = 60)
  void every_prompt_is_read_as_it_was_given(
      @ForAll long seed,
      @ForAll Dialect dialect,
      @ForAll Canonicalization canonicalization,
      @ForAll @IntRange(min = 1, max = 3) int recorders)
      throws IOException {
    Path place = Files.createTempDirectory("prompts");
    Random random = new Random(seed);
    RecorderOptions options = RecorderOptions.defaults()
        .withCanonicalization(canonicalization)
        .withBlobThreshold(random.nextBoolean() ? 1 << 20 : 50 + random.nextInt(400))
        .withWriter(WriterOptions.defaults()
            .withDialect(dialect)
            .withMaxSegmentBytes(random.nextBoolean() ? Long.MAX_VALUE : 2_000));
    Conversation one = new Conversation(seed);
    Conversation other = new Conversation(seed + 1);
    List<JsonValue> given = new ArrayList<>();
    for (int i = 0; i < recorders; i++) {
      try (SessionRecorder session = i == 0
          ? SessionRecorder.start(place, SessionStart.of("s"), options)
          : SessionRecorder.resume(place, options)) {
        for (int turn = 0; turn < 12; turn++) {
          JsonObject prompt = (random.nextInt(3) == 0 ? other : one).next();
          given.add(prompt);
          session.modelCall("m", new Prompt(prompt)).answer("ok");
        }
      }
    }
    Session session = Session.open(place);
    CanonicalJson canonical = CanonicalJson.of(canonicalization);
    List<JsonValue> read = new ArrayList<>();
    for (ModelCall call : calls(session, true)) {
      JsonValue prompt = session.resolve(call.prompt());
      read.add(prompt);
      assertThat(call.promptDelta()).isNull();
      if (call.prompt().hash() != null) {
        assertThat(call.prompt().hash()).isEqualTo(canonical.hash(prompt));
      }
    }
    assertThat(read).isEqualTo(given);
    TestFiles.delete(place);
  }

  /** Calls are lost or torn, the process is killed and recording is resumed. */
  @Property(tries = 400)
  @Tag("slow")
  void every_prompt_that_was_written_is_read_as_it_was_given_after_faults(
      @ForAll long seed, @ForAll FailurePolicy policy, @ForAll Durability durability)
      throws IOException {
    Path place = Path.of("simulated").toAbsolutePath();
    SimulatedDisk disk = new SimulatedDisk(place);
    Random random = new Random(seed);
    Conversation conversation = new Conversation(seed);
    RecorderOptions options = RecorderOptions.defaults()
        .withFailurePolicy(policy)
        .withWriter(WriterOptions.defaults()
            .withDurability(durability)
            .withForceInterval(Duration.ofHours(1)));
    Map<String, JsonValue> given = new HashMap<>();
    SessionRecorder.start(disk, place, SessionStart.of("s"), options).close();
    for (int life = 0; life < 3; life++) {
      int failing = random.nextInt(60);
      DiskFault fault = FAULTS.get(random.nextInt(FAULTS.size()));
      disk.inject((number, call, file) -> number % 60 == failing ? fault : DiskFault.NONE);
      try (SessionRecorder session = SessionRecorder.resume(disk, place, options)) {
        for (int turn = 0; turn < 15; turn++) {
          disk.limit(random.nextInt(8) == 0 ? 0 : Long.MAX_VALUE);
          JsonObject prompt = conversation.next();
          String id = "call-" + given.size();
          given.put(id, prompt);
          try {
            session.modelCall(ModelCall.of(id, "m", new Prompt(prompt)));
          } catch (IOException | IllegalStateException failed) {
            // with FAIL, and once the log has failed
          }
        }
      } catch (IOException failed) {
        // of the writer, or of an injected fault while the log is resumed
      }
      disk.limit(Long.MAX_VALUE);
      disk.inject((number, call, file) -> DiskFault.NONE);
      disk = random.nextBoolean() ? disk.losePower(random) : disk.kill();
    }
    try (ReplayReader reader = TestLogs.reader(disk.content(place.resolve(Session.LOG_NAME)))) {
      reader.expandPrompts(content -> null);
      for (ReplayLine line = next(reader); line != null; line = next(reader)) {
        if (line.event() instanceof ModelCall call) {
          assertThat(call.prompt().value()).isEqualTo(given.get(call.id()));
        }
      }
    }
  }

  private static @Nullable ReplayLine next(ReplayReader reader) throws IOException {
    try {
      return reader.read();
    } catch (ReplayFormatException torn) {
      return null;
    }
  }

  @Test
  void full_prompts_are_written_on_request() throws IOException {
    RecorderOptions options = RecorderOptions.defaults().withFullPrompts(true);
    try (SessionRecorder session =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      session.modelCall("m", "hi");
      session.modelCall("m", "hi");
    }
    assertThat(calls(Session.open(directory), false))
        .extracting(call -> call.prompt().value())
        .containsExactly(Prompt.of("hi").json(), Prompt.of("hi").json());
  }

  @Test
  void parallel_lanes_keep_their_prompts() throws Exception {
    Map<String, List<JsonValue>> given = new HashMap<>();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      List<Future<?>> lanes = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        String lane = "lane-" + i;
        Conversation conversation = new Conversation(i);
        List<JsonValue> prompts = new ArrayList<>();
        given.put(lane, prompts);
        lanes.add(threads.submit(() -> {
          for (int turn = 0; turn < 50; turn++) {
            JsonObject prompt = conversation.next();
            prompts.add(prompt);
            session.modelCall(lane, new Prompt(prompt)).answer("ok");
          }
          return null;
        }));
      }
      for (Future<?> lane : lanes) {
        lane.get();
      }
    } finally {
      threads.shutdown();
    }
    Map<String, List<JsonValue>> read = new HashMap<>();
    for (ModelCall call : calls(Session.open(directory), true)) {
      read.computeIfAbsent(String.valueOf(call.model()), lane -> new ArrayList<>())
          .add(call.prompt().value());
    }
    assertThat(read).isEqualTo(given);
  }

  @Test
  void change_given_by_the_caller_is_resolved_and_checked() throws IOException {
    JsonObject prompt = Prompt.of("hi").json();
    ContentHash hash = CanonicalJson.SERDE.hash(prompt);
    PromptDelta delta = PromptDelta.from("a").build();
    ModelCall change = ModelCall.of("b", "m", Prompt.of("")).asChange(delta, hash);
    try (SessionRecorder session = SessionRecorder.start(directory, "s")) {
      assertThatThrownBy(() -> session.emit(change))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "prompt_delta of the call \"b\": none of the last model calls has the id" + " \"a\"");
      session.emit(ModelCall.of("a", "m", new Prompt(prompt)));
      assertThatThrownBy(
              () -> session.emit(change.asChange(delta, ContentHash.sha256(new byte[1]))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("prompt_hash");
      session.emit(ModelCall.of("a", "m", new Prompt(prompt)));
      session.emit(change);
    }
    assertThat(calls(Session.open(directory), true))
        .extracting(call -> call.prompt().value())
        .containsExactly(prompt, prompt, prompt);
  }

  @Test
  void prompt_that_cannot_be_expanded_has_a_finding() throws IOException {
    JsonObject prompt = Prompt.of("long ".repeat(100)).json();
    RecorderOptions options = RecorderOptions.defaults().withBlobThreshold(200);
    try (SessionRecorder session =
        SessionRecorder.start(directory, SessionStart.of("s"), options)) {
      session.modelCall("m", new Prompt(prompt));
      session.modelCall("m", new Prompt(prompt.with("messages", JsonArray.of("new"))));
      session.modelCall("m", new Prompt(prompt));
    }
    Session session = Session.open(directory);
    assertThat(calls(session, true)).extracting(ModelCall::prompt).doesNotContain(Content.NONE);
    TestFiles.delete(directory.resolve(Session.BLOBS_NAME));
    List<String> findings = new ArrayList<>();
    try (ReplayReader reader = Session.open(directory).readerWithFullPrompts()) {
      reader.forEach(line -> line.findings().forEach(f -> findings.add(f.code() + f.message())));
    }
    assertThat(findings)
        .containsExactly("HASH_UNVERIFIABLEthe prompt is a change of that of the call \"model-1\","
            + " which the log does not hold");
  }
}
