package dev.agentreplay.publish.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.publish.PublicationRefusedException;
import dev.agentreplay.publish.PublishOptions;
import dev.agentreplay.publish.SessionPublisher;
import dev.agentreplay.publish.policy.PublicationPolicy;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Secrets of all kinds in every text of every event, as they are, nested, escaped, encoded, in
 * commands and as names of members: no published copy has one.
 */
class SeededSecretsTest {

  /** The ways in which a text can have another in it. */
  private enum Way {
    PLAIN(text -> text),
    COMMAND(text -> "cd /tmp && tool --verbose \n" + text + "\n# done"),
    JSON(text -> JsonObject.of("a", JsonArray.of(text)).toString()),
    BASE64(text -> "data:text/plain;base64," + base64(text)),
    PERCENT(text -> "https://example.org/cb?next=" + URLEncoder.encode(text, UTF_8));

    final UnaryOperator<String> wrap;

    Way(UnaryOperator<String> wrap) {
      this.wrap = wrap;
    }
  }

  /** Members without which a line is not the event that it is. */
  private static final Set<String> STRUCTURE = Set.of(
      "event", "type", "replay_version", "canonicalization", "salt", "t", "ts", "created_at");

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  @TempDir
  private Path directory;

  private int seeded;
  private int published;

  static Stream<RuleExamples.Example> kinds() {
    Set<String> rules = new HashSet<>();
    return RuleExamples.all().stream()
        .filter(RuleExamples.Example::hasSecret)
        .filter(example -> rules.add(example.rule()));
  }

  static Stream<RuleExamples.Example> someKinds() {
    return kinds().limit(2);
  }

  @Test
  void there_are_thirty_kinds() {
    assertThat(kinds()).hasSizeGreaterThanOrEqualTo(30);
  }

  @ParameterizedTest
  @Tag("slow")
  @MethodSource("someKinds")
  void no_copy_has_a_seeded_secret(RuleExamples.Example example) throws IOException {
    publish(example, List.of(Way.values()));
    assertThat(seeded).isGreaterThan(500);
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("kinds")
  void no_copy_has_a_seeded_secret_of_any_kind(RuleExamples.Example example) throws IOException {
    Way other = Way.values()[1 + Math.floorMod(example.rule().hashCode(), Way.values().length - 1)];
    publish(example, List.of(Way.PLAIN, other));
  }

  private void publish(RuleExamples.Example example, List<Way> ways) throws IOException {
    for (String dialect : List.of("event", "type")) {
      List<String> lines = Files.readAllLines(
          Path.of("src/test/resources/policy/lines.%s.jsonl".formatted(dialect)));
      for (Way way : ways) {
        String text = way.wrap.apply(example.text());
        List<String> log = new ArrayList<>();
        for (String line : lines) {
          JsonObject read = JsonText.parse(line).asObject().without("published", "disclosure");
          log.add(CanonicalJson.SERDE.text(line(read, text, way == Way.PLAIN)));
        }
        Path session = directory.resolve(dialect + way);
        Files.createDirectories(session);
        Files.write(session.resolve("REPLAY.jsonl"), log);
        for (String preset : PublicationPolicy.presets()) {
          Path out = directory.resolve(dialect + way + preset);
          try {
            SessionPublisher.publish(
                Session.open(session),
                out,
                PublishOptions.defaults()
                    .withPolicy(PublicationPolicy.preset(preset))
                    .withForce(true));
          } catch (PublicationRefusedException e) { // an id that only the last scan refuses
            assertThat(e.reason()).isEqualTo(PublicationRefusedException.Reason.SECRETS);
            assertThat(out).doesNotExist();
            continue;
          }
          published++;
          requireNone(out, example.secret(), "%s %s %s".formatted(dialect, way, preset));
        }
      }
    }
    assertThat(published).isGreaterThan(ways.size() * 2);
  }

  private static void requireNone(Path out, String secret, String what) throws IOException {
    String escaped = JsonString.of(secret).toString();
    String encoded = base64(secret + "xx").substring(0, secret.length() / 3 * 4);
    try (Stream<Path> files = Files.walk(out)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file))
            .as("%s %s", what, file.getFileName())
            .doesNotContain(secret)
            .doesNotContain(escaped.substring(1, escaped.length() - 1))
            .doesNotContain(encoded)
            .doesNotContain(URLEncoder.encode(secret, UTF_8));
      }
    }
  }

  private JsonObject line(JsonObject line, String text, boolean inNames) {
    JsonObject.Builder seededLine = JsonObject.builder();
    line.forEach((name, value) ->
        seededLine.add(name, STRUCTURE.contains(name) ? value : value(value, text, inNames)));
    if (inNames) {
      seededLine.addIfAbsent(text, JsonString.of("x"));
    }
    return seededLine.build();
  }

  private JsonValue value(JsonValue value, String text, boolean inNames) {
    if (value instanceof JsonString) {
      seeded++;
      return JsonString.of(text);
    } else if (value instanceof JsonArray array) {
      return JsonArray.copyOf(
          array.stream().map(element -> value(element, text, inNames)).toList());
    } else if (value instanceof JsonObject object) {
      JsonObject.Builder seededObject = JsonObject.builder();
      object.forEach((name, member) -> seededObject.add(name, value(member, text, inNames)));
      if (inNames) {
        seededObject.addIfAbsent(text, JsonString.of("x"));
      }
      return seededObject.build();
    }
    return value;
  }
}
