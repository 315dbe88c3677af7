package dev.agentreplay.convert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.RecorderOptions;
import dev.agentreplay.io.recording.SessionRecorder;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.Conversation;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Prompts that are changes of earlier ones are kept by a conversion, or written in full. */
class PromptsConversionTest {

  @TempDir
  private Path directory;

  private final List<JsonValue> given = new ArrayList<>();

  private Session record(String name, RecorderOptions options) throws IOException {
    Conversation conversation = new Conversation(7);
    Path place = directory.resolve(name);
    given.clear();
    try (SessionRecorder recorder = SessionRecorder.start(place, SessionStart.of("s"), options)) {
      for (int turn = 0; turn < 40; turn++) {
        JsonObject prompt = conversation.next();
        given.add(prompt);
        recorder.modelCall("m", new Prompt(prompt)).answer("ok");
      }
      recorder.end(Status.SUCCESS, 1);
    }
    return Session.open(place);
  }

  @ParameterizedTest
  @CsvSource({"EVENT,true", "EVENT,false", "TYPE,true", "TYPE,false", "DRAFT,true", "DRAFT,false"})
  void every_prompt_is_the_same_afterwards(SessionFormat to, boolean full) throws IOException {
    Session source = record("source", RecorderOptions.defaults().withBlobThreshold(700));
    Path out = directory.resolve("out");
    ConvertOptions options = ConvertOptions.defaults().withFullPrompts(full).withReceipt(true);
    ConversionReport report = SessionConverter.convertInto(out, source, to, options);
    assertThat(report.warnings()).isEmpty();
    Session converted = Session.open(out);
    assertThat(SessionVerifier.of(VerifyPolicy.defaults()).verify(converted).verdict())
        .isEqualTo(Verdict.VALID);
    assertThat(prompts(converted)).isEqualTo(given);
    assertThat(hasChanges(converted)).isEqualTo(!full);
  }

  @Test
  void bundle_has_full_prompts() throws IOException {
    Session source = record("inline", RecorderOptions.defaults());
    Path bundle = directory.resolve("bundle.json");
    SessionConverter.convert(source.log(), bundle, SessionFormat.BUNDLE, ConvertOptions.defaults());
    assertThat(Files.readString(bundle)).doesNotContain("prompt_delta");
    Path out = directory.resolve("out");
    SessionConverter.convertInto(
        out, new Session(bundle, null), SessionFormat.EVENT, ConvertOptions.defaults());
    assertThat(prompts(Session.open(out))).isEqualTo(given);
  }

  private static List<JsonValue> prompts(Session session) throws IOException {
    List<JsonValue> read = new ArrayList<>();
    try (ReplayReader reader = session.readerWithFullPrompts()) {
      for (ReplayLine line : reader) {
        if (line.event() instanceof ModelCall call) {
          read.add(session.resolve(call.prompt()));
        }
      }
    }
    return read;
  }

  private static boolean hasChanges(Session session) throws IOException {
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line : reader) {
        if (line.event() instanceof ModelCall call && call.promptDelta() != null) {
          return true;
        }
      }
    }
    return false;
  }
}
