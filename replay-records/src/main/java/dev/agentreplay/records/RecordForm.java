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
 * How one kind of object is read from JSON and checked:
 * {@code RecordForm.of(SessionRecord.class).read(json)}.
 *
 * <p>What is wrong with a value is found all at once. Immutable, and safe for use by several
 * threads.
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

  /** The forms of all objects. */
  public static List<RecordForm<?>> all() {
    return ALL;
  }

  /**
   * The form of one kind of object.
   *
   * @throws IllegalArgumentException for {@link RecordObject} itself, which is no kind
   */
  @SuppressWarnings("unchecked") // put in by its type
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
   * The object that a value stands for.
   *
   * @throws InvalidRecordException if the value breaks a constraint, with all that it breaks
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
   * The objects that an array stands for.
   *
   * @throws InvalidRecordException if the value is no array, or an element breaks a constraint;
   *     paths begin with the element, as in {@code [2].model}
   */
  public List<T> readList(JsonValue value) {
    Place place = Place.root();
    List<T> objects = MemberType.listOf(MemberType.object(table)).reader().read(value, place);
    if (objects == null || !place.problems().isEmpty()) {
      throw new InvalidRecordException(type, place.problems());
    }
    return List.copyOf(objects);
  }

  /** What breaks the constraints in a value, in the order of the specification. */
  public List<Problem> check(JsonValue value) {
    Place place = Place.root();
    table.read(value, place);
    return List.copyOf(place.problems());
  }

  /**
   * What a value should not have, and is read with all the same, in the order of the specification:
   * hashes that are no SHA-256, so that nothing can be compared with them.
   */
  public List<Problem> warnings(JsonValue value) {
    Place place = Place.root();
    table.read(value, place);
    return List.copyOf(place.warnings());
  }

  /** The value that an object stands for. */
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
