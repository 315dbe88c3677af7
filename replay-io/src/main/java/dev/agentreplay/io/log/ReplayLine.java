package dev.agentreplay.io.log;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonDocument;
import dev.agentreplay.canonical.prompt.PromptHistory;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.FindingCode;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A line of a log: its bytes and the event that they encode. Immutable for its users. */
public final class ReplayLine {

  private final Position position;
  private final JsonDocument document;
  private final ReplayEvent event;
  private final List<Finding> findings;
  private final JsonObject json;

  /** The hash of the content of the event, if it was computed in advance, and in which form. */
  private @Nullable ContentHash contentHash;

  private @Nullable CanonicalJson contentForm;

  /** The hash of the leaf for this line in a Merkle tree, if it was computed in advance. */
  private @Nullable ContentHash leafHash;

  ReplayLine(Position position, JsonDocument document, ReplayEvent event, List<Finding> findings) {
    this(position, document, document.value().asObject(), event, findings);
  }

  private ReplayLine(
      Position position,
      JsonDocument document,
      JsonObject json,
      ReplayEvent event,
      List<Finding> findings) {
    this.position = position;
    this.document = document;
    this.json = json;
    this.event = event;
    this.findings = List.copyOf(findings);
  }

  /**
   * Returns this line with the prompt of its model call in full in {@link #event} and
   * {@link #json}. The bytes of the line stay those of the log.
   *
   * @throws IllegalStateException if the line is not a model call
   */
  public ReplayLine withFullPrompt(JsonObject prompt) {
    if (!(event instanceof ModelCall call)) {
      throw new IllegalStateException(
          "expected a ModelCall, found " + event.kind().id());
    }
    return new ReplayLine(
        position, document, PromptHistory.expandLine(json, prompt), call.inFull(prompt), findings);
  }

  /** Whether {@link #event} and {@link #json} have a prompt in full that the log does not. */
  @SuppressWarnings("ReferenceEquality") // no other object is set
  public boolean isExpanded() {
    return json != document.value();
  }

  ReplayLine withFinding(Finding finding) {
    List<Finding> all = new ArrayList<>(findings);
    all.add(finding);
    return new ReplayLine(position, document, json, event, all);
  }

  /** The position of the first byte of the line. */
  public Position position() {
    return position;
  }

  /** The event. */
  public ReplayEvent event() {
    return event;
  }

  /** The JSON object of the line. */
  public JsonObject json() {
    return json;
  }

  /**
   * The findings of the line, with their positions: FIELD_MISSING, FIELD_INVALID, EVENT_INVALID,
   * NO_FINAL_NEWLINE.
   */
  public List<Finding> findings() {
    return findings;
  }

  /** A copy of the bytes of the line, without its line feed. */
  public byte[] bytes() {
    return document.bytes();
  }

  /** The number of bytes of the line, without its line feed. */
  public int length() {
    return document.size();
  }

  /** Whether the line, without its line feed, is canonical JSON. */
  public boolean isCanonical(CanonicalJson canonical) {
    return document.isCanonical(canonical);
  }

  /**
   * The hash of a value of the line; faster for a member of its object than hashing the value by
   * itself.
   *
   * @throws IllegalArgumentException if the value has an integer that would be rounded
   */
  @SuppressWarnings("ReferenceEquality") // an equal value may have a different text
  public ContentHash hash(JsonValue value, CanonicalJson canonical) {
    ContentHash known = contentHash;
    return known != null && contentForm == canonical && value == event.content().value()
        ? known
        : document.hash(value, canonical);
  }

  /** Computes the hash of the content of the event in advance. */
  void hashContent(CanonicalJson canonical) {
    JsonValue value = event.content().value();
    if (value == null) {
      return;
    }
    try {
      contentHash = document.hash(value, canonical);
      contentForm = canonical;
    } catch (IllegalArgumentException wouldBeRounded) {
      // thrown again when the hash is asked for
    }
  }

  /** Sets the hash of the leaf for this line. */
  void setLeafHash(ContentHash computed) {
    leafHash = computed;
  }

  /** The hash of the leaf for this line in a Merkle tree; null if it was not computed. */
  @Nullable
  ContentHash leafHash() {
    return leafHash;
  }

  /** Writes the bytes of the line, including its line feed if it has one, with one call. */
  public void writeTo(OutputStream out) throws IOException {
    if (hasLineFeed()) {
      document.writeLineTo(out);
    } else {
      document.writeTo(out);
    }
  }

  /** Whether the line ends with a line feed, which the last line of a log may lack. */
  public boolean hasLineFeed() {
    for (int i = 0; i < findings.size(); i++) { // called for each line: no iterator
      if (findings.get(i).code() == FindingCode.NO_FINAL_NEWLINE) {
        return false;
      }
    }
    return true;
  }

  /** Writes the bytes of the line and a line feed, with one call, even if the line has none. */
  public void writeLineTo(OutputStream out) throws IOException {
    document.writeLineTo(out);
  }

  @Override
  public String toString() {
    return position + ": " + event;
  }
}
