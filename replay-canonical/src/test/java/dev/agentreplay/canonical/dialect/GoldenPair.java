package dev.agentreplay.canonical.dialect;

import static dev.agentreplay.canonical.dialect.Lines.AT;
import static dev.agentreplay.canonical.dialect.Lines.OUTPUT_HASH;
import static dev.agentreplay.canonical.dialect.Lines.hash;

import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.util.stream.Stream;

/** An event and its line in a dialect, which are read and written as each other. */
record GoldenPair(Dialect dialect, ReplayEvent event, String line) {

  static final JsonObject PARAMS = JsonObject.of("path", "src/auth.rs");
  static final Content OUTPUT =
      new Content(JsonString.of("fn main() {}"), hash(OUTPUT_HASH), null, null);
  static final Meta SESSION = AT.withSessionId("sess");
  static final Salt SALT = new Salt("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8");
  static final ReplayOrigin ORIGIN =
      new ReplayOrigin("first", new TreeHead(4, hash(OUTPUT_HASH)), "mock");
  static final JsonObject REPO = JsonObject.of("remote", "r", "branch", "main", "commit", "c0ffee");
  static final JsonObject ERROR = JsonObject.of("message", "no", "name", "IO");

  static GoldenPair of(Dialect dialect, ReplayEvent event, String line) {
    return new GoldenPair(dialect, event, line.strip());
  }

  /** The same event in the lane of an agent. */
  GoldenPair inLane() {
    ReplayEvent laned = event.withMeta(event.meta().withAgent("researcher").withParent("tc_001"));
    String text =
        Lines.canonical(Lines.object(line).with("agent", "researcher").with("parent", "tc_001"));
    return new GoldenPair(dialect, laned, text);
  }

  /** Those of all dialects: events of the specifications, and ours. */
  static Stream<GoldenPair> all() {
    return Stream.of(
            EventPairs.pairs(), TypePairs.pairs(), DraftPairs.pairs(), AdditionalPairs.pairs())
        .flatMap(pairs -> pairs);
  }

  @Override
  public String toString() {
    return dialect.id() + " " + line;
  }
}
