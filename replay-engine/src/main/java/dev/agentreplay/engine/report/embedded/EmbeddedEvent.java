package dev.agentreplay.engine.report.embedded;

import dev.agentreplay.canonical.JsonLimits;
import dev.agentreplay.engine.published.PublishedCopy;
import dev.agentreplay.engine.published.WithheldValue;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.BlobRef;
import dev.agentreplay.model.Chunks;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.EventKind;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.ImportedRecord;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.PromptDelta;
import dev.agentreplay.model.Provenance;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.ToolCall;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.check.CallPairing;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts the lines of one session, in order, to the events that {@code ViewerData} documents. */
public final class EmbeddedEvent {

  private static final int LONGEST_NAME = 200;
  private static final int MAX_WITHHELD = 100;

  private final Session session;
  private Embedding embedding;
  private final EmbeddedImages images;
  private final ModelCosts costs;
  private final RepeatedPrompts repeated = new RepeatedPrompts();

  /** The publication of the session; null if it is an original. */
  private @Nullable PublishedCopy copy;

  private final JsonLimits blobLimits;

  /** The blobs that were looked up, each in the form that later events refer to. */
  private final Map<BlobRef, JsonObject> blobs = new HashMap<>();

  private final CallPairing<Long> toolCalls = new CallPairing<>();
  private final CallPairing<Long> modelCalls = new CallPairing<>();

  private final AgentStarts agents = new AgentStarts();

  /** The lines of the last model calls by their ids; a prompt may be a change of one of them. */
  private final Map<String, Long> prompts = new LinkedHashMap<>();

  /**
   * Creates a converter for one session.
   *
   * @param images the images of the page
   * @param costs the costs of the model calls of the session
   * @param maxBlobBytes the size of the largest blob that is read, in bytes
   */
  public EmbeddedEvent(
      Session session,
      Embedding embedding,
      EmbeddedImages images,
      ModelCosts costs,
      int maxBlobBytes) {
    this.session = session;
    this.embedding = embedding;
    this.images = images;
    this.costs = costs;
    this.blobLimits = JsonLimits.defaults().withMaxBytes(maxBlobBytes);
  }

  /** The policy under which the session was published; null if it is an original. */
  @Nullable
  public String policy() {
    return copy == null ? null : copy.policy();
  }

  /** Skips the next line. Its call is remembered, since a later line may be the result. */
  public void skip(ReplayLine line) {
    answers(line.event(), line.position().line());
    costs.of(line.event());
    base(line.event(), line.position().line());
    agents.line(line.event(), line.position().line());
  }

  /** Uses a different embedding for the values of the following lines. */
  public void use(Embedding other) {
    embedding = other;
  }

  /** Converts the next line. */
  public JsonObject of(ReplayLine line) {
    ReplayEvent event = line.event();
    boolean isFirst = line.position().line() == 1;
    copy = isFirst ? PublishedCopy.of(line.json()) : copy;
    JsonObject json = copy == null ? line.json() : copy.shown(line.json(), isFirst);
    JsonObject.Builder out = JsonObject.builder();
    out.add("line", JsonNumber.of(line.position().line()));
    boolean unknown = event.kind() == EventKind.UNKNOWN;
    out.add("kind", JsonString.of(unknown ? "Unknown" : event.kind().id()));
    add(out, "name", shortened(event.name()));
    add(out, Names.AGENT, shortened(event.meta().agent()));
    add(out, Names.PARENT, agents.line(event, line.position().line()));
    add(out, "time", event.time() == null ? null : event.time().instant().toEpochMilli());
    add(out, "answers", answers(event, line.position().line()));
    Long base = base(event, line.position().line());
    add(out, "ok", event.succeeded());
    add(out, "latency", event.latencyMillis());
    add(out, "utility", event instanceof ToolResult result ? result.stepUtility() : null);
    add(out, "stream", stream(event));
    add(out, Names.REPLAYED, provenance(event));
    add(out, Names.IMPORTED, source(event));
    add(out, "attempt", event instanceof ToolCall call ? call.attempt().number() : null);
    add(out, "uncertain", (event instanceof ToolResult r && !r.outcome().isKnown()) ? true : null);
    add(out, "exit", event instanceof ToolResult result ? result.outcome().exitCode() : null);
    add(out, "error", error(event));
    add(out, "finish", event instanceof ModelResult r ? shortened(r.finish().reason()) : null);
    add(out, "tokens", event instanceof ModelResult result ? tokens(result) : null);
    add(out, "cost", costs.of(event));
    Content content = event.content();
    String main = main(event, json, content.value());
    RepeatedPrompts.Changed changed =
        copy == null && main != null && event instanceof ModelCall call
            ? repeated.of(call, json)
            : null;
    add(out, "base", changed == null ? base : Long.valueOf(changed.base()));
    add(out, "main", changed == null ? main : null);
    add(out, "repeats", changed == null ? null : true);
    boolean isEmbedded = embed(changed == null ? json : changed.json(), out);
    if (event instanceof ModelCall call) {
      repeated.add(
          call, line.position().line(), isEmbedded && main != null ? content.value() : null);
    }
    add(out, "withheld", copy == null ? null : withheld(copy.withheld(line.json())));
    BlobRef blob = content.blob();
    if (content.value() == null && blob != null) {
      out.add("blob", blob(blob, content));
    }
    if (!line.findings().isEmpty()) {
      out.add(
          "findings",
          JsonValue.of(line.findings().stream()
              .map(finding -> finding.code() + ": " + finding.message())
              .toList()));
    }
    return out.build();
  }

  /** Embeds a value with its images. */
  private boolean embed(JsonValue value, JsonObject.Builder out) {
    EmbeddedImages.Extracted extracted = images.of(value);
    JsonObject embedded = embedding.embed(extracted.value());
    embedded.forEach(out::add);
    extracted.addTo(out);
    return embedded.has("json");
  }

  private static void add(JsonObject.Builder out, String name, @Nullable Object value) {
    if (value != null) {
      out.add(name, JsonValue.of(value));
    }
  }

  /** The name of the error of a result; null if it has none. */
  private static @Nullable String error(ReplayEvent event) {
    Failure error = event instanceof ToolResult result
        ? result.outcome().error()
        : event instanceof ModelResult result ? result.finish().error() : null;
    return error == null ? null : shortened(error.name());
  }

  /** The tokens of the prompt and of the answer, each null if not known; null without both. */
  private static @Nullable JsonArray tokens(ModelResult result) {
    TokenCounts tokens = result.tokens();
    return tokens.input() == null && tokens.output() == null
        ? null
        : JsonArray.of(tokens.input(), tokens.output());
  }

  /** The number of pieces in which a result arrived, and the time of the first; null without. */
  private static @Nullable List<Long> stream(ReplayEvent event) {
    Chunks chunks = Chunks.NONE;
    if (event instanceof ToolResult result) {
      chunks = result.timing().chunks();
    } else if (event instanceof ModelResult result) {
      chunks = result.timing().chunks();
    }
    Long first = chunks.timeToFirstMillis();
    return first == null ? null : List.of((long) chunks.size(), first);
  }

  private static @Nullable JsonObject provenance(ReplayEvent event) {
    Provenance stated = Provenance.of(event);
    if (stated == null) {
      return null;
    }
    String match = stated.match() == null ? null : Excerpt.beginning(stated.match(), LONGEST_NAME);
    String action = Excerpt.beginning(stated.action(), LONGEST_NAME);
    return new Provenance(action, match, stated.line()).json();
  }

  /** The place and the type of the record of a trace that the event was made from; null without. */
  private static @Nullable JsonObject source(ReplayEvent event) {
    ImportedRecord stated = ImportedRecord.of(event);
    return stated == null
        ? null
        : JsonObject.of(
            "place",
            Excerpt.beginning(stated.place(), LONGEST_NAME),
            "record",
            Excerpt.beginning(stated.record(), LONGEST_NAME));
  }

  /** The places of values that are withheld, each with the rule of a replacement; null if none. */
  private static @Nullable JsonArray withheld(List<WithheldValue> values) {
    List<JsonArray> places = values.stream()
        .filter(value -> !value.isHash())
        .limit(MAX_WITHHELD)
        .map(value -> JsonArray.of(
            Excerpt.beginning(value.pointer().toString(), LONGEST_NAME),
            value.isReplaced() ? value.rule() : null))
        .toList();
    return places.isEmpty() ? null : JsonArray.copyOf(places);
  }

  private static @Nullable String shortened(@Nullable String name) {
    return name == null ? null : Excerpt.beginning(name, LONGEST_NAME);
  }

  /** The line of the prompt that the prompt of an event is a change of; null if there is none. */
  private @Nullable Long base(ReplayEvent event, long line) {
    if (!(event instanceof ModelCall call)) {
      return null;
    }
    PromptDelta delta = call.promptDelta();
    Long base = delta == null ? null : prompts.get(delta.base());
    prompts.remove(call.id());
    prompts.put(call.id(), line);
    if (prompts.size() > PromptDelta.MAX_CALLS) {
      prompts.remove(prompts.keySet().iterator().next());
    }
    return base;
  }

  private @Nullable Long answers(ReplayEvent event, long line) {
    String id = event.callId();
    if (id == null) {
      return null;
    }
    EventKind kind = event.kind();
    boolean isTool = kind == EventKind.TOOL_CALL || kind == EventKind.TOOL_RESULT;
    CallPairing<Long> calls = isTool ? toolCalls : modelCalls;
    if (kind == EventKind.TOOL_RESULT || kind == EventKind.MODEL_RESULT) {
      return calls.result(id, event.meta().agent());
    }
    calls.call(id, event.meta().agent(), line);
    return null;
  }

  /** The member that holds a value; null if the value was combined from several members. */
  @SuppressWarnings("ReferenceEquality") // an equal value may belong to a different member
  private static @Nullable String main(
      ReplayEvent event, JsonObject json, @Nullable JsonValue value) {
    String member = event.kind().contentName();
    return value != null && member != null && json.get(member) == value ? member : null;
  }

  /**
   * Describes a blob; the first reference to it includes its value. A blob that cannot be read is
   * described as a problem, so that the rest of the session can still be viewed.
   */
  private JsonObject blob(BlobRef blob, Content content) {
    JsonObject ref = JsonObject.of("hash", blob.blob().toString(), "bytes", blob.bytes());
    if (content.hash() != null && !content.hash().equals(blob.blob())) {
      return ref.with("problem", "the event states a different hash: " + content.hash());
    }
    if (blob.bytes() > blobLimits.maxBytes()) {
      return ref.with("problem", "too large to be embedded in a page");
    }
    JsonObject known = blobs.get(blob);
    if (known != null) {
      return known;
    }
    if (embedding.isFull()) {
      return ref.with("problem", "not in this file: the limit for embedded values is reached");
    }
    try {
      JsonValue value = session.resolve(content, blobLimits);
      if (value == null) {
        return withProblem(blob, ref, "the file is missing");
      }
      blobs.put(blob, ref);
      JsonObject.Builder out = JsonObject.builder();
      ref.forEach(out::add);
      embed(value, out);
      return out.build();
    } catch (IOException e) {
      return withProblem(blob, ref, "cannot be read: " + e.getMessage());
    }
  }

  private JsonObject withProblem(BlobRef blob, JsonObject ref, String problem) {
    JsonObject faulty = ref.with("problem", problem);
    blobs.put(blob, faulty);
    return faulty;
  }
}
