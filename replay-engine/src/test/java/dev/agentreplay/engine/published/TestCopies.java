package dev.agentreplay.engine.published;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.canonical.commitment.Commitment;
import dev.agentreplay.canonical.commitment.Committer;
import dev.agentreplay.canonical.commitment.Opening;
import dev.agentreplay.canonical.commitment.PublicForm;
import dev.agentreplay.canonical.commitment.PublishedLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.Salt;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Publishes logs: withholds or replaces chosen values, and shows all others. */
public final class TestCopies {

  /** The part of a value that is shown. */
  public sealed interface Change {

    /** Nothing but the name of the member. */
    record Withhold() implements Change {}

    /** Not even the name of the member. */
    record Hide() implements Change {}

    /** A different value. */
    record Replace(JsonValue shown, String rule) implements Change {}
  }

  public static final Change WITHHOLD = new Change.Withhold();
  public static final Change HIDE = new Change.Hide();

  private static final Salt SALT = Salt.of(new byte[Salt.BYTES]);

  private record Part(JsonValue shown, Opening opening) {}

  private final Committer committer;
  private final Map<String, Change> changes;

  private TestCopies(PublicForm form, Map<String, Change> changes) {
    this.committer = new Committer(form);
    this.changes = changes;
  }

  public static Change replace(Object shown, String rule) {
    return new Change.Replace(JsonValue.of(shown), rule);
  }

  /**
   * Publishes a log.
   *
   * @param changes the changes by the number of a line and a pointer, such as {@code 4/params/path}
   */
  public static Session publish(
      Session original, Path file, String policy, Map<String, Change> changes) throws IOException {
    return publish(original, file, policy, new PublicForm(1), changes);
  }

  public static Session publish(
      Session original, Path file, String policy, PublicForm form, Map<String, Change> changes)
      throws IOException {
    TestCopies copies = new TestCopies(form, changes);
    List<String> lines = Files.readAllLines(original.log());
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      JsonObject line = copies.line(i + 1, lines.get(i));
      out.append(CanonicalJson.SERDE.text(
          i > 0 ? line : line.with(Names.PUBLISHED, published(form, policy))));
      out.append('\n');
    }
    Files.writeString(file, out);
    return new Session(file, null);
  }

  private static JsonObject published(PublicForm form, String policy) {
    return JsonObject.of(
        "form", form.id(), "policy", JsonObject.of("id", policy), "source", "valid");
  }

  private JsonObject line(int number, String text) {
    JsonObject line = JsonText.parse(text).asObject();
    Opening.Complete seed = new Opening.Complete(
        committer.line(SALT, number, text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    Part part = part(line, seed, number + "");
    JsonObject shown = part.shown().asObject();
    if (part.opening() instanceof Opening.Members members) {
      Map<String, Opening> openings = new TreeMap<>(members.members());
      for (String name : line.names()) {
        String content = name.endsWith("_hash") ? name.substring(0, name.length() - 5) : "";
        if (isChanged(number + "/" + content)
            && openings.get(name) instanceof Opening.Complete own) {
          Commitment commitment = committer.commit(line.get(name), own.seed());
          JsonValue rest = shown.get(content);
          shown = shown.with(
              name,
              rest == null
                  ? commitment.toHash().toString()
                  : CanonicalJson.SERDE.hash(rest).toString());
          openings.put(
              name, new Opening.Withheld(commitment, rest == null ? "commitment" : "recomputed"));
        }
      }
      part = new Part(shown, new Opening.Members(members.blinding(), openings, members.others()));
    }
    verify(part);
    return new PublishedLine(shown, part.opening()).toJson();
  }

  private void verify(Part part) {
    try {
      committer.verify(part.shown(), part.opening());
    } catch (DocumentFormatException e) {
      throw new AssertionError(e);
    }
  }

  private boolean isChanged(String place) {
    return changes.keySet().stream()
        .anyMatch(key -> key.equals(place) || key.startsWith(place + "/"));
  }

  private Part part(JsonValue value, Opening.Complete whole, String place) {
    Change change = changes.get(place);
    Commitment commitment = committer.commit(value, whole.seed());
    if (change instanceof Change.Replace replace) {
      return new Part(replace.shown(), new Opening.Withheld(commitment, replace.rule()));
    } else if (change != null) {
      return new Part(null, new Opening.Withheld(commitment, null));
    } else if (!isChanged(place)) {
      return new Part(value, whole);
    }
    return value instanceof JsonObject object
        ? members(object, (Opening.Members) committer.expand(value, whole), place)
        : elements(value.asArray(), (Opening.Elements) committer.expand(value, whole), place);
  }

  private Part members(JsonObject object, Opening.Members open, String place) {
    Map<String, Opening> members = new TreeMap<>();
    List<Commitment> others = new ArrayList<>(open.others());
    JsonObject.Builder shown = JsonObject.builder();
    object.forEach((name, value) -> {
      String at = place + "/" + JsonPointer.escape(name);
      Part part = part(value, (Opening.Complete) open.members().get(name), at);
      if (part.shown() != null) {
        shown.add(name, part.shown());
      }
      if (changes.get(at) instanceof Change.Hide) {
        others.add(committer.memberDigest(name, ((Opening.Withheld) part.opening()).commitment()));
      } else {
        members.put(name, part.opening());
      }
    });
    others.sort(null);
    return new Part(shown.build(), new Opening.Members(open.blinding(), members, others));
  }

  private Part elements(JsonArray array, Opening.Elements open, String place) {
    List<Opening> openings = new ArrayList<>(open.elements());
    List<JsonValue> shown = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      Part part = part(array.get(i), (Opening.Complete) open.elements().get(i), place + "/" + i);
      openings.set(i, part.opening());
      if (part.shown() != null) {
        while (shown.size() < i) {
          shown.add(JsonNull.NULL);
        }
        shown.add(part.shown());
      }
    }
    return new Part(JsonArray.copyOf(shown), new Opening.Elements(open.blinding(), openings));
  }

  /** The places of all values below a value, itself included. */
  public static Stream<String> places(JsonValue value, String at) {
    Stream<String> below = Stream.empty();
    if (value instanceof JsonObject object) {
      below = object.names().stream()
          .flatMap(name -> places(object.get(name), at + "/" + JsonPointer.escape(name)));
    } else if (value instanceof JsonArray array) {
      below = java.util.stream.IntStream.range(0, array.size())
          .boxed()
          .flatMap(i -> places(array.get(i), at + "/" + i));
    }
    return Stream.concat(Stream.of(at), below);
  }
}
