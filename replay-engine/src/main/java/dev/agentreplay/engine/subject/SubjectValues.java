package dev.agentreplay.engine.subject;

import dev.agentreplay.engine.subject.SubjectMessage.Wrong;
import dev.agentreplay.io.context.DeterministicContext;
import dev.agentreplay.model.RecordedValue;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The nondeterministic values that a subject requests: the methods of a context, by source. */
final class SubjectValues {

  private static final int MAX_SHUFFLED = 1_000_000;

  private SubjectValues() {}

  /**
   * Returns the requested value as JSON.
   *
   * @throws Wrong if the request is not one of the protocol
   * @throws IllegalArgumentException if the context refuses it
   */
  static JsonValue of(SubjectMessage request, DeterministicContext context)
      throws Wrong, IOException {
    String source = request.requiredText("source");
    return JsonValue.of(
        switch (source) {
          case RecordedValue.CLOCK -> context.clock().instant().toString();
          case RecordedValue.NANO_TIME -> context.nanoTime();
          case RecordedValue.RANDOM -> random(request, context);
          case RecordedValue.ID -> id(request, context);
          case RecordedValue.JITTER -> context.jitter(duration(request, "max")).toString();
          case RecordedValue.DELAY ->
            context
                .delay(
                    request.smallInteger("attempt"),
                    duration(request, "base"),
                    duration(request, "max"))
                .toString();
          case RecordedValue.SHUFFLE -> shuffle(request, context);
          case RecordedValue.DIRECTORY -> context.listDirectory(path(request));
          case RecordedValue.GLOB -> context.glob(path(request), request.requiredText("pattern"));
          case "environment" -> context.environment(request.requiredText("name"));
          case "version" ->
            context.version(
                request.requiredText("name"),
                request.smallInteger("min"),
                request.smallInteger("max"));
          default -> throw request.wrong("source", "the name of a source");
        });
  }

  /** A number from 0 to a bound, exclusively; without a bound, a fraction from 0 to 1. */
  private static Object random(SubjectMessage request, DeterministicContext context) throws Wrong {
    Long bound = request.integer("bound");
    if (bound == null) {
      return context.random().nextDouble();
    }
    if (bound < 1) {
      throw request.wrong("bound", "a positive integer");
    }
    return context.random().nextLong(bound);
  }

  private static String id(SubjectMessage request, DeterministicContext context) throws Wrong {
    @Nullable String form = request.text("form");
    return switch (form == null ? "uuid4" : form) {
      case "uuid4" -> context.uuidV4().toString();
      case "uuid7" -> context.uuidV7().toString();
      case "ulid" -> context.ulid();
      default -> throw request.wrong("form", "uuid4, uuid7 or ulid");
    };
  }

  private static List<Integer> shuffle(SubjectMessage request, DeterministicContext context)
      throws Wrong {
    int size = request.smallInteger("size");
    if (size < 0 || size > MAX_SHUFFLED) {
      throw request.wrong("size", "an integer from 0 to %,d".formatted(MAX_SHUFFLED));
    }
    return context.shuffle(IntStream.range(0, size).boxed().toList());
  }

  private static Path path(SubjectMessage request) throws Wrong {
    return Path.of(request.requiredText("path"));
  }

  private static Duration duration(SubjectMessage request, String member) throws Wrong {
    try {
      return Duration.parse(request.requiredText(member));
    } catch (DateTimeParseException e) {
      throw request.wrong(member, "a duration such as \"PT0.5S\"");
    }
  }
}
