package dev.agentreplay.publish.secret;

import dev.agentreplay.io.recording.Redactor;
import dev.agentreplay.model.Content;
import dev.agentreplay.model.Meta;
import dev.agentreplay.model.ModelCall;
import dev.agentreplay.model.ModelResult;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.PolicyId;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.ReplayEvent;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.StreamPreviews;
import dev.agentreplay.model.ToolResult;
import dev.agentreplay.model.Verification;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the secrets in events by {@code [REDACTED:rule]} while a session is recorded:
 *
 * <pre>{@code
 * RecorderOptions options = RecorderOptions.defaults()
 *     .withRedactor(SecretRedactor.of(SecretScanner.of(SecretRules.bundled())));
 * }</pre>
 *
 * <p>Every text of an event and every name of a member is scanned; ids only by rules whose secrets
 * have a prefix of their own ({@link SecretScanner#scanIdentifier}). The hash, blob and preview of
 * a value that changes are left out, so that the recorder derives them of the new one, and the
 * pieces of a streamed text are scaled to it. An event that was changed has the additional member
 * {@code redacted}, an object that states the rule of each place by its JSON Pointer; it has no
 * part of a secret. A value of which the event has only a hash or a reference to a blob is not
 * read.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class SecretRedactor implements Redactor {

  /** The additional member that states what was redacted. */
  public static final String REDACTED = "redacted";

  /** The components whose texts identify something, besides those of {@link IdentityMembers}. */
  private static final Set<String> IDS = Set.of("mode", "rail", Names.CI_STATUS, "spelling");

  /** The components that are not members of their own: their members are those of the event. */
  private static final Set<String> FLAT = Set.of(
      "meta", "extra", "outcome", "timing", "attempt", "finish", "tokens", "labels", "streams",
      "json", "command");

  /** The members of components with a different name. */
  private static final Map<String, String> NAMES = Map.of(
      "ReplayHeader.policy", Names.POLICY_VERSION,
      "SessionStart.policy", Names.POLICY_VERSION,
      "SessionStart.repository", "repo",
      "Payment.proof", Names.PAYMENT_PROOF,
      "RuntimeEvent.type", Names.RUNTIME_EVENT_TYPE,
      "Completion.reason", Names.FINISH_REASON,
      "Task.text", "task",
      "StreamPreviews.stdout", Names.STDOUT_PREVIEW,
      "StreamPreviews.stderr", Names.STDERR_PREVIEW);

  private final SecretScanner scanner;

  private SecretRedactor(SecretScanner scanner) {
    this.scanner = scanner;
  }

  /** Creates a redactor that replaces the secrets that a scanner finds. */
  public static SecretRedactor of(SecretScanner scanner) {
    return new SecretRedactor(Objects.requireNonNull(scanner, "scanner"));
  }

  @Override
  public ReplayEvent redact(ReplayEvent event) {
    ValueRedaction values = new ValueRedaction(scanner);
    ReplayEvent redacted = (ReplayEvent) new Walk(values, event).record((Record) event);
    if (values.redacted().isEmpty()) {
      return event;
    }
    redacted = consistent(event, redacted);
    Meta meta = redacted.meta();
    return redacted.withMeta(meta.withExtra(marked(meta.extra(), values.redacted())));
  }

  private static JsonObject marked(JsonObject extra, Map<String, String> places) {
    JsonObject.Builder all = JsonObject.builder();
    if (extra.get(REDACTED) instanceof JsonObject earlier) {
      earlier.forEach(all::add);
    }
    places.forEach((place, rule) -> all.addIfAbsent(place, JsonString.of(rule)));
    return extra.without(REDACTED).with(REDACTED, all.build());
  }

  /** The event with what follows from its value: previews, pieces and the hash of a change. */
  private static ReplayEvent consistent(ReplayEvent before, ReplayEvent after) {
    JsonValue old = before.content().value();
    JsonValue value = after.content().value();
    if (after instanceof ToolResult result) {
      boolean isChanged = !Objects.equals(old, value);
      return result
          .withOutcome(
              isChanged ? result.outcome().withStreams(StreamPreviews.NONE) : result.outcome())
          .withTiming(
              result.timing().withChunks(RedactedChunks.of(result.timing().chunks(), old, value)));
    } else if (after instanceof ModelResult result) {
      return result.withTiming(
          result.timing().withChunks(RedactedChunks.of(result.timing().chunks(), old, value)));
    } else if (after instanceof ModelCall call && call.promptDelta() != null) {
      return new ModelCall(
          call.id(),
          call.model(),
          Content.NONE,
          call.promptDelta(),
          call.parameters(),
          call.meta());
    }
    return after;
  }

  /** Redacts the components of an event, which are records, lists, texts and JSON values. */
  private static final class Walk {

    private final ValueRedaction values;
    private final ReplayEvent event;

    Walk(ValueRedaction values, ReplayEvent event) {
      this.values = values;
      this.event = event;
    }

    Record record(Record record) {
      RecordComponent[] components = record.getClass().getRecordComponents();
      @Nullable Object[] arguments = new @Nullable Object[components.length];
      boolean isChanged = false;
      for (int i = 0; i < components.length; i++) {
        Object value = call(components[i], record);
        arguments[i] = component(record, components[i].getName(), value);
        isChanged |= arguments[i] != value;
      }
      return isChanged ? create(record.getClass(), components, arguments) : record;
    }

    private @Nullable Object component(Record owner, String component, @Nullable Object value) {
      if (value == null) {
        return null;
      }
      String name = wireName(owner, component);
      List<String> outside = values.path();
      if (owner instanceof Verification.CommandRun && name.equals("cwd")) {
        values.moveTo(List.of(name)); // a log has one for all commands
      } else if (!isFlat(owner, component)) {
        values.enter(name);
      }
      try {
        return redacted(name, value, component.equals("extra"));
      } finally {
        values.moveTo(outside);
      }
    }

    private static boolean isFlat(Record owner, String component) {
      return FLAT.contains(component)
          || owner instanceof PolicyId
          || (owner instanceof SessionStart && component.equals("task"));
    }

    private @Nullable Object redacted(String name, Object value, boolean isLine) {
      if (value instanceof String text) {
        return isIdentity(name) ? values.identifier(name, text) : values.text(name, text);
      } else if (value instanceof Content content) {
        return content(name, content);
      } else if (value instanceof JsonObject object) {
        return values.object(object, isLine);
      } else if (value instanceof JsonValue json) {
        String source = event instanceof RecordedValue recorded
            ? recorded.source().substring(recorded.source().indexOf(':') + 1)
            : name;
        return values.value(source, json);
      } else if (value instanceof List<?> list) {
        return list(name, list);
      }
      return value instanceof Record part && isOfModel(part) ? record(part) : value;
    }

    private static boolean isIdentity(String name) {
      return IDS.contains(name) || IdentityMembers.isIdentity(name);
    }

    private static boolean isOfModel(Record part) {
      return part.getClass().getPackageName().equals(ReplayEvent.class.getPackageName());
    }

    private List<?> list(String name, List<?> list) {
      List<Object> elements = new ArrayList<>();
      boolean isChanged = false;
      for (int i = 0; i < list.size(); i++) {
        values.enter(Integer.toString(i));
        Object element = Objects.requireNonNull(redacted(name, list.get(i), false));
        values.leave();
        isChanged |= element != list.get(i);
        elements.add(element);
      }
      return isChanged ? elements : list;
    }

    private Content content(String name, Content content) {
      JsonValue value = content.value();
      if (value != null) {
        JsonValue redacted = values.value(name, value);
        return redacted == value ? content : Content.of(redacted);
      }
      String preview = content.preview();
      if (preview == null || values.text(name, preview).equals(preview)) {
        return content;
      }
      return new Content(null, content.hash(), null, null); // the blob has the secret
    }

    private String wireName(Record owner, String component) {
      String content = event.kind().contentName();
      if (content != null && owner == event && component.equals(content)) {
        return content;
      }
      String special = NAMES.get(owner.getClass().getSimpleName() + "." + component);
      if (special != null) {
        return special;
      }
      StringBuilder name = new StringBuilder();
      for (int i = 0; i < component.length(); i++) {
        char c = component.charAt(i);
        if (Character.isUpperCase(c)) {
          name.append('_');
        }
        name.append(Character.toLowerCase(c));
      }
      return name.toString().toLowerCase(Locale.ROOT);
    }

    private static @Nullable Object call(RecordComponent component, Record record) {
      try {
        return component.getAccessor().invoke(record);
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IllegalStateException("the component " + component + " cannot be read", e);
      }
    }

    private static Record create(
        Class<?> type, RecordComponent[] components, @Nullable Object[] arguments) {
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      try {
        Constructor<?> constructor = type.getDeclaredConstructor(types);
        return (Record) constructor.newInstance(arguments);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("a " + type.getSimpleName() + " cannot be created", e);
      }
    }
  }
}
