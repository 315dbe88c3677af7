package dev.agentreplay.engine.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.engine.published.TestCopies;
import dev.agentreplay.engine.published.TestCopies.Change;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.testkit.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/**
 * A copy that shows any part of a session is identical to its original, and just the withheld
 * values are listed; a different value in a place that it shows is found.
 */
class PublishedDiffPropertiesTest {

  private static final String LOG =
      """
      {"created_at":"2026-01-13T10:00:00Z","event":"ReplayHeader","producer":"p@1","replay_version":1}
      {"event":"SessionStart","instructions":"be brief","issue_number":7,"policy_version":"v1","repo":{"branch":"main","remote":"r"},"session_id":"s1","t":"2026-01-13T10:00:01Z","task":"fix it"}
      {"event":"ModelCall","id":"m1","model":"opus","parameters":{"seed":3,"temperature":0},"prompt":{"messages":[{"content":"hi","role":"user"}]},"prompt_hash":"HASH","t":"2026-01-13T10:00:02Z"}
      {"answer":{"text":"call it"},"answer_hash":"HASH","event":"ModelResult","finish_reason":"stop","id":"m1","latency_ms":30,"t":"2026-01-13T10:00:03Z","tokens_in":10,"tokens_out":20}
      {"event":"ToolCall","id":"c1","params":{"env":{"HOME":"/home/ada"},"path":"a","words":["x","y","z"]},"params_hash":"HASH","step_id":"p1","t":"2026-01-13T10:00:04Z","tool":"read"}
      {"event":"ToolCall","id":"c2","params":{"path":"a"},"params_hash":"HASH","step_id":"p1","t":"2026-01-13T10:00:05Z","tool":"read"}
      {"event":"ToolResult","exit_code":null,"id":"c1","latency_ms":40,"output":["text",{"n":1}],"output_hash":"HASH","step_utility":0.5,"t":"2026-01-13T10:00:06Z"}
      {"event":"ToolResult","exit_code":null,"id":"c2","latency_ms":41,"output":"text of b","output_hash":"HASH","step_utility":0.5,"t":"2026-01-13T10:00:07Z"}
      {"event":"ToolCall","id":"c3","params":{"path":"a"},"params_hash":"HASH","step_id":"p1","t":"2026-01-13T10:00:08Z","tool":"read"}
      {"event":"Verification","commands":["make","make test"],"exit_codes":[0,1],"t":"2026-01-13T10:00:09Z","verification_delta":2}
      {"color":{"name":"blue"},"event":"Weather","t":"2026-01-13T10:00:10Z"}
      {"confidence":0.5,"event":"SessionEnd","status":"success","summary":"done","t":"2026-01-13T10:00:11Z","total_latency_ms":81,"total_tool_calls":3}
      """
          .replace("HASH", "sha256:" + "a".repeat(64));

  /** Members without which a line is not an event, or which no policy withholds. */
  private static final Set<String> SHOWN =
      Set.of("event", "status", "replay_version", "id", "tool", "exit_code", "exit_codes");

  /** Members that only a strict comparison compares, or none. */
  private static final Set<String> NOT_COMPARED = Set.of(
      "id",
      "step_id",
      "session_id",
      "t",
      "latency_ms",
      "total_latency_ms",
      "total_tool_calls",
      "producer",
      "created_at");

  private Path folder;

  @BeforeProperty
  void create() throws IOException {
    folder = Files.createTempDirectory("published");
  }

  @AfterProperty
  void delete() throws IOException {
    TestFiles.delete(folder);
  }

  @Property(tries = 150)
  void copy_is_identical_and_lists_what_it_withholds(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    Map<String, Change> changes = changes(random);
    PublicForm form = new PublicForm(random.nextBoolean() ? 1 : 4);
    Session original = write(folder.resolve("original"), LOG);
    Session copy = TestCopies.publish(original, folder.resolve("copy"), "custom", form, changes);
    SessionDiff diff = random.nextBoolean()
        ? SessionDiff.between(original, copy)
        : SessionDiff.between(copy, original);

    assertThat(diff.divergences().stream().map(Divergence::kind).distinct())
        .as("changes %s", changes)
        .isSubsetOf(DivergenceKind.WITHHELD);
    assertThat(diff.isIdentical()).isTrue();
    assertThat(listed(diff)).isEqualTo(expected(changes.keySet()));
    assertThat(diff.summary().withheld() + diff.summary().replaced())
        .isEqualTo(expected(changes.keySet()).size());
    assertThat(diff.summary().identities() + diff.summary().timings())
        .as("ids and times with the changes %s", changes)
        .isZero();
  }

  @Property(tries = 150)
  void changed_value_that_is_shown_is_found(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    Map<String, Change> changes = changes(random);
    List<String> texts = places()
        .filter(place -> isCompared(place) && !isBelow(place, changes.keySet()))
        .filter(place -> value(place) instanceof JsonString)
        .toList();
    if (texts.isEmpty()) {
      return;
    }
    String place = texts.get(random.nextInt(texts.size()));
    Session original = write(folder.resolve("original"), LOG);
    Session copy = TestCopies.publish(original, folder.resolve("copy"), "custom", changes);
    Session altered =
        write(folder.resolve("altered"), altered(Files.readAllLines(copy.log()), place));

    assertThat(SessionDiff.between(original, altered).isIdentical())
        .as("%s without %s", place, changes.keySet())
        .isFalse();
  }

  private static Session write(Path file, String text) throws IOException {
    return new Session(Files.writeString(file, text), null);
  }

  private static Map<String, Change> changes(Random random) {
    double share = random.nextDouble() * random.nextDouble();
    Map<String, Change> changes = new HashMap<>();
    places().filter(place -> random.nextDouble() < share).forEach(place -> {
      Change change = random.nextBoolean() ? TestCopies.WITHHOLD : TestCopies.HIDE;
      boolean isText = value(place) instanceof JsonString;
      changes.put(
          place, isText && random.nextInt(3) == 0 ? TestCopies.replace("x", "path") : change);
    });
    if (random.nextBoolean()) {
      idsOfCalls().forEach(place -> changes.put(place, mapped(value(place).asString())));
    }
    changes.keySet().removeIf(place -> isBelow(parent(place), changes.keySet()));
    return changes;
  }

  private static Change mapped(String id) {
    return TestCopies.replace("id-" + Integer.toHexString(id.hashCode()), "id");
  }

  private static Stream<String> idsOfCalls() {
    return Stream.of("3/id", "4/id", "5/id", "6/id", "7/id", "8/id", "9/id");
  }

  private static String parent(String place) {
    return place.substring(0, place.lastIndexOf('/'));
  }

  /** The places of values, without lines as a whole, hashes, and what is always shown. */
  private static Stream<String> places() {
    List<String> places = new ArrayList<>();
    String[] lines = LOG.split("\n");
    for (int i = 0; i < lines.length; i++) {
      TestCopies.places(JsonText.parse(lines[i]), i + 1 + "")
          .filter(place -> place.indexOf('/') > 0)
          .filter(place -> !SHOWN.contains(member(place)) && !member(place).endsWith("_hash"))
          .forEach(places::add);
    }
    return places.stream();
  }

  private static JsonValue value(String place) {
    int slash = place.indexOf('/');
    String line = LOG.split("\n")[Integer.parseInt(place.substring(0, slash)) - 1];
    return JsonText.parse(line).at(place.substring(slash));
  }

  private static String member(String place) {
    return place.split("/")[1];
  }

  private static boolean isCompared(String place) {
    return !place.startsWith("1/") && !NOT_COMPARED.contains(member(place));
  }

  private static boolean isBelow(String place, Set<String> others) {
    return others.stream().anyMatch(other -> place.equals(other) || place.startsWith(other + "/"));
  }

  private static Set<String> expected(Set<String> changed) {
    return changed.stream()
        .filter(PublishedDiffPropertiesTest::isCompared)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> listed(SessionDiff diff) {
    return diff.divergences().stream()
        .flatMap(divergence -> divergence.changes().stream())
        .flatMap(change ->
            change.values().stream().map(value -> change.sides().any().line() + value.pointer()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The log with a different text at a place. */
  private static String altered(List<String> lines, String place) {
    int slash = place.indexOf('/');
    int line = Integer.parseInt(place.substring(0, slash)) - 1;
    JsonObject changed = JsonText.parse(lines.get(line)).asObject();
    List<String> all = new ArrayList<>(lines);
    all.set(line, with(changed, List.of(place.substring(slash + 1).split("/"))).toString());
    return String.join("\n", all) + "\n";
  }

  private static JsonValue with(JsonValue value, List<String> tokens) {
    if (tokens.isEmpty()) {
      return JsonString.of(value.asString() + " altered");
    }
    List<String> rest = tokens.subList(1, tokens.size());
    if (value instanceof JsonObject object) {
      return object.with(tokens.get(0), with(object.get(tokens.get(0)), rest));
    }
    List<JsonValue> elements = new ArrayList<>(value.asArray().values());
    int index = Integer.parseInt(tokens.get(0));
    elements.set(index, with(elements.get(index), rest));
    return JsonArray.copyOf(elements);
  }
}
