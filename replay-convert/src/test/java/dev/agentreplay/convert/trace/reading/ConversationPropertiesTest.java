package dev.agentreplay.convert.trace.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.convert.trace.reading.Conversation.Mark;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.SessionWriter;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.Timestamp;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The prompts that a log states as changes are those of conversations that are kept in full. */
class ConversationPropertiesTest {

  private static final ReplayHeader HEADER =
      ReplayHeader.of("p").withMeta(Meta.at(Timestamp.parse("2026-01-01T00:00:00Z")));

  private enum Kind {
    ADD,
    CALL,
    MARK,
    REWIND,
    CLEAR,
    SYSTEM
  }

  /** A step of a conversation: its kind, lane and a number. */
  private record Step(Kind kind, int lane, int number) {}

  /** A conversation that is kept in full. */
  private static final class Model {
    List<JsonValue> messages = new ArrayList<>();
    String system;
    final List<Mark> marks = new ArrayList<>();
    final List<List<JsonValue>> marked = new ArrayList<>();
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Kind> kinds = Arbitraries.frequency(
        net.jqwik.api.Tuple.of(6, Kind.ADD),
        net.jqwik.api.Tuple.of(6, Kind.CALL),
        net.jqwik.api.Tuple.of(2, Kind.MARK),
        net.jqwik.api.Tuple.of(2, Kind.REWIND),
        net.jqwik.api.Tuple.of(1, Kind.CLEAR),
        net.jqwik.api.Tuple.of(1, Kind.SYSTEM));
    return Combinators.combine(
            kinds, Arbitraries.integers().between(0, 2), Arbitraries.integers().between(0, 5))
        .as(Step::new)
        .list()
        .ofMaxSize(80);
  }

  @Property
  void expandedPromptsAreTheWholeConversations(@ForAll("steps") List<Step> steps)
      throws IOException {
    Path directory = Files.createTempDirectory("conversation");
    try {
      List<JsonObject> expected = write(directory.resolve("s"), steps);
      assertThat(prompts(directory.resolve("s"))).isEqualTo(expected);
    } finally {
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(java.util.Comparator.reverseOrder()).forEach(path -> path.toFile()
            .delete());
      }
    }
  }

  private static List<JsonObject> write(Path directory, List<Step> steps) throws IOException {
    List<JsonObject> expected = new ArrayList<>();
    Map<Integer, Model> models = new HashMap<>();
    try (SessionWriter writer = SessionWriter.create(directory, HEADER)) {
      TraceSession session = new TraceSession(writer, "s", "f");
      for (Step step : steps) {
        Conversation conversation = session.conversation("lane" + step.lane());
        Model model = models.computeIfAbsent(step.lane(), any -> new Model());
        switch (step.kind()) {
          case ADD -> {
            conversation.add("user", JsonValue.of("text " + step.number()));
            model.messages.add(JsonObject.of("role", "user", "content", "text " + step.number()));
          }
          case CALL -> {
            session.emit(
                conversation.call(
                    "call-" + step.number(), "m", new Parameters(JsonObject.EMPTY), Meta.NONE),
                null);
            JsonObject prompt = JsonObject.of("messages", JsonArray.copyOf(model.messages));
            expected.add(model.system == null ? prompt : prompt.with("system", model.system));
          }
          case MARK -> {
            model.marks.add(conversation.mark());
            model.marked.add(List.copyOf(model.messages));
          }
          case REWIND -> {
            if (!model.marks.isEmpty()) {
              int mark = step.number() % model.marks.size();
              conversation.rewind(model.marks.get(mark));
              model.messages = new ArrayList<>(model.marked.get(mark));
            }
          }
          case CLEAR -> {
            conversation.clear();
            model.messages.clear();
          }
          case SYSTEM -> {
            model.system = "be " + step.number();
            conversation.system(JsonValue.of(model.system));
          }
          default -> throw new AssertionError(step);
        }
        assertThat(conversation.mark().messages()).isEqualTo(model.messages.size());
      }
      session.complete();
      writer.finish(receipt -> receipt);
    }
    return expected;
  }

  private static List<JsonObject> prompts(Path directory) throws IOException {
    List<JsonObject> prompts = new ArrayList<>();
    try (ReplayReader reader = Session.open(directory).readerWithFullPrompts()) {
      for (ReplayLine line = reader.read(); line != null; line = reader.read()) {
        if (line.event() instanceof ModelCall call) {
          prompts.add(call.prompt().value().asObject());
        }
      }
    }
    return prompts;
  }
}
