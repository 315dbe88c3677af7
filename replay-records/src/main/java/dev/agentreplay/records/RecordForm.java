package dev.agentreplay.records;

import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.records.InterventionSummary.SeverityCounts;
import dev.agentreplay.records.InterventionSummary.TypeCounts;
import dev.agentreplay.records.InvalidRecordException.Problem;
import dev.agentreplay.records.Kickoff.OperatorSelection;
import dev.agentreplay.records.MemberType.Place;
import dev.agentreplay.records.OperatorIntervention.StateChange;
import dev.agentreplay.records.SessionInputs.ProtocolVersions;
import dev.agentreplay.records.SessionOutputs.LintResult;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads one type of object from JSON and checks it:
 * {@code RecordForm.of(SessionRecord.class).read(json)}.
 *
 * <p>All problems of a value are reported at once. Immutable and safe for use by several threads.
 *
 * @param <T> the type of the object
 */
public final class RecordForm<T extends RecordObject> {

  private static final List<RecordForm<?>> ALL = List.of(
      new RecordForm<>(SessionRecord.class, SessionTables.RECORD),
      new RecordForm<>(SessionInputs.class, SessionTables.INPUTS),
      new RecordForm<>(Kickoff.class, SessionTables.KICKOFF),
      new RecordForm<>(OperatorSelection.class, SessionTables.OPERATOR_SELECTION),
      new RecordForm<>(EvidenceRecordSummary.class, SessionTables.EVIDENCE),
      new RecordForm<>(AgentRosterEntry.class, SessionTables.ROSTER_ENTRY),
      new RecordForm<>(ProtocolVersions.class, SessionTables.PROTOCOL_VERSIONS),
      new RecordForm<>(SessionTrace.class, SessionTables.TRACE),
      new RecordForm<>(SessionTrace.Round.class, SessionTables.ROUND),
      new RecordForm<>(TraceMessage.class, SessionTables.MESSAGE),
      new RecordForm<>(OperatorIntervention.class, InterventionTables.INTERVENTION),
      new RecordForm<>(OperatorIntervention.Target.class, InterventionTables.TARGET),
      new RecordForm<>(StateChange.class, InterventionTables.STATE_CHANGE),
      new RecordForm<>(InterventionSummary.class, InterventionTables.SUMMARY),
      new RecordForm<>(SeverityCounts.class, InterventionTables.SEVERITY_COUNTS),
      new RecordForm<>(TypeCounts.class, InterventionTables.TYPE_COUNTS),
      new RecordForm<>(SessionOutputs.class, SessionTables.OUTPUTS),
      new RecordForm<>(LintResult.class, SessionTables.LINT_RESULT),
      new RecordForm<>(RecordReplayReport.class, ReportTables.REPORT),
      new RecordForm<>(RecordReplayReport.Divergence.class, ReportTables.DIVERGENCE));

  private static final Map<Class<?>, RecordForm<?>> BY_TYPE =
      ALL.stream().collect(Collectors.toUnmodifiableMap(RecordForm::type, Function.identity()));

  private final Class<T> type;
  private final RecordTable<T> table;

  private RecordForm(Class<T> type, RecordTable<T> table) {
    this.type = type;
    this.table = table;
  }

  /** Returns the forms of all types of objects. */
  public static List<RecordForm<?>> all() {
    return ALL;
  }

  /**
   * Returns the form of one type of object.
   *
   * @throws IllegalArgumentException for {@link RecordObject} itself, which is not the type of an
   *     object
   */
  @SuppressWarnings("unchecked") // the key is the type of the form
  public static <T extends RecordObject> RecordForm<T> of(Class<T> type) {
    RecordForm<?> form = BY_TYPE.get(type);
    if (form == null) {
      throw new IllegalArgumentException("not the class of a record: " + type.getName());
    }
    return (RecordForm<T>) form;
  }

  /** The class of the object. */
  public Class<T> type() {
    return type;
  }

  /**
   * Reads an object from a JSON value.
   *
   * @throws InvalidRecordException if the value breaks constraints; the exception lists all of them
   */
  public T read(JsonValue value) {
    Place place = Place.root();
    T object = table.read(value, place);
    if (object == null) {
      throw new InvalidRecordException(type, place.problems());
    }
    return object;
  }

  /**
   * Reads the objects of a JSON array.
   *
   * @throws InvalidRecordException if the value is not an array, or an element breaks a constraint;
   *     paths begin with the index of the element, as in {@code [2].model}
   */
  public List<T> readList(JsonValue value) {
    Place place = Place.root();
    List<T> objects = MemberType.listOf(MemberType.object(table)).reader().read(value, place);
    if (objects == null || !place.problems().isEmpty()) {
      throw new InvalidRecordException(type, place.problems());
    }
    return List.copyOf(objects);
  }

  /**
   * Checks a value. Returns the problems in the order of the specification; empty when the value
   * meets all constraints.
   */
  public List<Problem> check(JsonValue value) {
    Place place = Place.root();
    table.read(value, place);
    return List.copyOf(place.problems());
  }

  /**
   * Returns the warnings about a value that can be read, in the order of the specification: hashes
   * that are not a SHA-256, and therefore cannot be compared with content.
   */
  public List<Problem> warnings(JsonValue value) {
    Place place = Place.root();
    table.read(value, place);
    return List.copyOf(place.warnings());
  }

  /** Converts an object to JSON. */
  static JsonObject toJson(RecordObject object) {
    return ofObject(object).write(object);
  }

  static List<Problem> problems(RecordObject object) {
    JsonObject json;
    try {
      json = object.toJson();
    } catch (IllegalArgumentException e) {
      return List.of(new Problem("", String.valueOf(e.getMessage())));
    }
    return ofObject(object).check(json);
  }

  @SuppressWarnings("unchecked") // the form of its class
  private static RecordForm<RecordObject> ofObject(RecordObject object) {
    return (RecordForm<RecordObject>) of(object.getClass());
  }

  private JsonObject write(T object) {
    return table.write(object);
  }
}
