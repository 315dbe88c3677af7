package dev.agentreplay.convert.trace.inspect;

import dev.agentreplay.convert.trace.reading.Documents;
import dev.agentreplay.convert.trace.report.SourceFault;
import dev.agentreplay.convert.trace.report.SourceFault.Kind;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonNumber;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonPointer;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A sample whose messages, events, calls and attachments are sequences of their own in the archive,
 * in chunks that are named by the index of their first element. Its events are read chunk by chunk.
 */
final class ChunkedSample implements EvalSample {

  /** The name of the member that tells this layout. */
  static final String SHELL = "/sample.json";

  private static final String MESSAGE_REFS = "message_refs";

  /** The members that are computed from the events. */
  private static final Set<String> INDEXES =
      Set.of("/skeleton.json", "/events/stats.json", "/events/uuids.json");

  private final EvalArchive archive;
  private final String prefix;
  private final JsonObject shell;
  private final Attachments attachments = new Attachments();
  private final List<Part> pool = new ArrayList<>();
  private final List<Part> messages = new ArrayList<>();
  private final List<Part> others = new ArrayList<>();
  private final List<String> eventChunks;

  /**
   * Reads a sample without its events.
   *
   * @param prefix the beginning of the names of its members, without a slash at its end
   * @param names the names of its members
   */
  ChunkedSample(
      EvalArchive archive, String prefix, List<String> names, Consumer<SourceFault> faults)
      throws IOException {
    this.archive = archive;
    this.prefix = prefix;
    JsonValue json = parse(prefix + SHELL);
    if (!(json instanceof JsonObject object)) {
      throw new IOException(prefix + SHELL + ": expected an object, found " + json.typeName());
    }
    List<String> attached = chunks(names, "attachments");
    List<String> pooled = chunks(names, "messages");
    List<String> calls = chunks(names, "calls");
    this.eventChunks = chunks(names, "events");
    long[] index = {0};
    forEach(attached, null, part -> attachments.add(String.valueOf(index[0]++), part.json()));
    forEach(pooled, null, pool::add);
    forEach(calls, faults, part -> others.add(new Part(part.json(), "call_message", part.place())));
    this.shell = takeMessages(object);
    addOthers(names, List.of(attached, pooled, calls, eventChunks), faults);
  }

  /** Takes the conversation, which refers to the pool, out of the sample. */
  private JsonObject takeMessages(JsonObject object) {
    List<Part> referred = referred(object.get(MESSAGE_REFS), pool);
    if (referred == null) {
      return object;
    }
    messages.addAll(referred);
    return object.without(MESSAGE_REFS);
  }

  /**
   * Returns the elements that ranges refer to.
   *
   * @param ranges an array of pairs: the index of the first element, and that after the last one
   * @return null if the value is not such an array, or refers to elements that are missing
   */
  static @Nullable List<Part> referred(@Nullable JsonValue ranges, List<Part> elements) {
    if (!(ranges instanceof JsonArray array)) {
      return null;
    }
    List<Part> referred = new ArrayList<>();
    for (JsonValue range : array) {
      long from = range instanceof JsonArray pair && pair.size() == 2 ? integer(pair.get(0)) : -1;
      long to = from < 0 ? -1 : integer(((JsonArray) range).get(1));
      if (from < 0 || to < from || to > elements.size()) {
        return null;
      }
      if (referred.size() + (to - from) > EvalArchive.MAX_MEMBERS) {
        return null; // more messages than any prompt has
      }
      referred.addAll(elements.subList((int) from, (int) to));
    }
    return referred;
  }

  private static long integer(JsonValue value) {
    try {
      return value instanceof JsonNumber number ? number.asLong() : -1;
    } catch (ArithmeticException notAnInteger) {
      return -1;
    }
  }

  private void addOthers(
      List<String> names, List<List<String>> sequences, Consumer<SourceFault> faults) {
    Set<String> used = new HashSet<>();
    sequences.forEach(used::addAll);
    used.add(prefix + SHELL);
    for (String name : names) {
      String local = name.substring(prefix.length());
      if (used.contains(name)) {
        continue;
      }
      try {
        String type = local.substring(1).replace(".json", "");
        others.add(new Part(
            parse(name), INDEXES.contains(local) ? Part.INDEX : type, SourcePlace.document(name)));
      } catch (IOException e) {
        faults.accept(unreadable(name, e));
      }
    }
  }

  /** The names of the chunks of a sequence, in its order. */
  private List<String> chunks(List<String> names, String sequence) {
    String start = prefix + "/" + sequence + "/";
    TreeMap<Long, String> chunks = new TreeMap<>();
    for (String name : names) {
      if (name.startsWith(start) && name.substring(start.length()).matches("[0-9]{1,18}\\.json")) {
        String number = name.substring(start.length(), name.length() - ".json".length());
        chunks.put(Long.valueOf(number), name);
      }
    }
    return List.copyOf(chunks.values());
  }

  /**
   * Passes the elements of chunks to a visitor.
   *
   * @param faults receives the faults of chunks, which are passed over; null if a fault ends the
   *     reading, because references would refer to the wrong elements
   */
  private void forEach(
      List<String> chunks, @Nullable Consumer<SourceFault> faults, EventVisitor visitor)
      throws IOException {
    for (String chunk : chunks) {
      JsonArray elements;
      try {
        elements = elements(chunk);
      } catch (IOException e) {
        if (faults == null) {
          throw e;
        }
        faults.accept(unreadable(chunk, e));
        continue;
      }
      SourcePlace place = SourcePlace.document(chunk);
      for (int i = 0; i < elements.size(); i++) {
        JsonPointer pointer = JsonPointer.ROOT.append(i);
        visitor.visit(new Part(elements.get(i), "message", place.child(pointer)));
      }
    }
  }

  private JsonArray elements(String chunk) throws IOException {
    JsonValue json = parse(chunk);
    if (json instanceof JsonArray array) {
      return array;
    }
    throw new IOException(chunk + ": expected an array, found " + json.typeName());
  }

  private static SourceFault unreadable(String name, IOException e) {
    return new SourceFault(
        Kind.MISSING_FILE, SourcePlace.document(name), String.valueOf(e.getMessage()));
  }

  private JsonValue parse(String name) throws IOException {
    return Documents.parse(archive.read(name), name);
  }

  @Override
  public SourcePlace place() {
    return SourcePlace.document(prefix + SHELL);
  }

  @Override
  public JsonObject shell() {
    return shell;
  }

  @Override
  public Attachments attachments() {
    return attachments;
  }

  @Override
  public List<Part> pool() {
    return pool;
  }

  @Override
  public List<Part> messages() {
    return messages;
  }

  @Override
  public List<Part> others() {
    return others;
  }

  @Override
  public void forEachEvent(EventVisitor visitor, Consumer<SourceFault> faults) throws IOException {
    forEach(eventChunks, faults, visitor);
  }
}
