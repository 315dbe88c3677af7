package dev.agentreplay.publish;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.commitment.Opening;
import dev.agentreplay.io.log.LogDigest;
import dev.agentreplay.model.Checkpoint;
import dev.agentreplay.model.FileState;
import dev.agentreplay.model.LogSegment;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.publish.policy.Treatment;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Writes the lines of a published log, and knows the tree over them. */
final class PublishedLog {

  /** The members that state hashes and lengths of lines. */
  private static final Set<String> OF_LINES =
      Set.of(Names.TREE_ROOT, Names.HASH_BEFORE, Names.BYTES_BEFORE);

  private final OutputStream out;
  private final CanonicalJson canonical;
  private final LogDigest digest = new LogDigest(true);
  private long bytes;

  PublishedLog(OutputStream out, CanonicalJson canonical) {
    this.out = out;
    this.canonical = canonical;
  }

  /**
   * Returns the bytes of a line with its line feed.
   *
   * @throws IllegalArgumentException if the canonicalization would round an integer in it
   */
  byte[] bytes(JsonObject line) {
    byte[] text = canonical.bytes(line);
    byte[] all = Arrays.copyOf(text, text.length + 1);
    all[text.length] = '\n';
    return all;
  }

  /** Writes the bytes of the next line. */
  void write(byte[] line) throws IOException {
    out.write(line);
    digest.write(line, 0, line.length);
    bytes += line.length;
  }

  /**
   * The treatment of the next line: statements about the lines before it are replaced by those
   * about the published lines.
   */
  Treatment withOwnStatements(ReplayEvent event, JsonObject line, Treatment treatment) {
    if (event instanceof Checkpoint) {
      return with(
          line,
          treatment,
          Map.of(
              Names.TREE_ROOT,
              JsonString.of(Objects.requireNonNull(digest.toTree()).root().toString())));
    } else if (event instanceof LogSegment) {
      return with(
          line,
          treatment,
          Map.of(
              Names.BYTES_BEFORE,
              JsonNumber.of(bytes),
              Names.HASH_BEFORE,
              JsonString.of(digest.toHash().toString())));
    }
    return event instanceof FileState ? treatment : withoutStatements(line, treatment);
  }

  /** Withholds statements about lines in an event that is malformed, or not of their kinds. */
  private static Treatment withoutStatements(JsonObject line, Treatment treatment) {
    if (OF_LINES.stream().noneMatch(line::has)) {
      return treatment;
    }
    Map<String, Treatment> members = members(line, treatment);
    members.replaceAll((name, of) ->
        OF_LINES.contains(name) && !(of instanceof Treatment.Hash) ? Treatment.WITHHOLD : of);
    return new Treatment.Members(members);
  }

  private static Map<String, Treatment> members(JsonObject line, Treatment treatment) {
    Map<String, Treatment> members = new LinkedHashMap<>();
    if (treatment instanceof Treatment.Members some) {
      members.putAll(some.members());
    } else if (treatment instanceof Treatment.Show) {
      line.names().forEach(name -> members.put(name, Treatment.SHOW));
    }
    return members;
  }

  private static Treatment with(
      JsonObject line, Treatment treatment, Map<String, JsonValue> statements) {
    Map<String, Treatment> members = members(line, treatment);
    statements.forEach((name, value) ->
        members.put(name, new Treatment.Replace(value, Opening.Withheld.RECOMPUTED)));
    return new Treatment.Members(members);
  }
}
