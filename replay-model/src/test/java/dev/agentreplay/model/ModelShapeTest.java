package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ModelCall.Parameters;
import dev.agentreplay.model.ModelCall.Prompt;
import dev.agentreplay.model.ModelResult.Completion;
import dev.agentreplay.model.ModelResult.TokenCounts;
import dev.agentreplay.model.SessionStart.Labels;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.Verification.CommandRun;
import dev.agentreplay.model.Verification.TestCounts;
import dev.agentreplay.model.finding.Finding;
import dev.agentreplay.model.finding.Position;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.receipt.DraftReceipt;
import dev.agentreplay.model.receipt.Receipt;
import dev.agentreplay.model.receipt.TrajectoryReceipt;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The permitted types and record components, which callers match on. A change here is a change of
 * the API that tools comparing signatures do not report: it belongs into the change log.
 */
class ModelShapeTest {

  private static final List<Class<?>> FAMILIES =
      List.of(ReplayEvent.class, JsonValue.class, Receipt.class);

  private static final List<Class<?>> PARTS = List.of(
      Meta.class,
      Content.class,
      BlobRef.class,
      Attempt.class,
      Outcome.class,
      Failure.class,
      StreamPreviews.class,
      Timing.class,
      PolicyId.class,
      Task.class,
      Labels.class,
      Prompt.class,
      Parameters.class,
      Completion.class,
      TokenCounts.class,
      Settings.Setting.class,
      ToolDescription.class,
      Status.class,
      CommandRun.class,
      TestCounts.class,
      SideEffect.class,
      Finding.class,
      TreeHead.class,
      ReplayOrigin.class,
      Provenance.class,
      Position.class,
      Receipt.Call.class,
      TrajectoryReceipt.Metrics.class,
      DraftReceipt.Checks.class);

  @Test
  void shape_is_the_recorded_one() throws IOException {
    String shape = Stream.concat(
            FAMILIES.stream().flatMap(ModelShapeTest::family),
            PARTS.stream().map(ModelShapeTest::type))
        .collect(Collectors.joining("\n", "", "\n"));

    assertThat(shape).isEqualTo(recorded());
  }

  @Test
  void last_component_of_every_event_is_its_meta_data() {
    assertThat(ReplayEvent.class.getPermittedSubclasses()).allSatisfy(event -> {
      RecordComponent[] components = event.getRecordComponents();
      assertThat(components.length).isLessThanOrEqualTo(7);
      assertThat(components[components.length - 1].getType()).isEqualTo(Meta.class);
    });
  }

  private static Stream<String> family(Class<?> sealed) {
    Class<?>[] permitted = sealed.getPermittedSubclasses();
    String names =
        Arrays.stream(permitted).map(Class::getSimpleName).collect(Collectors.joining(", "));
    return Stream.concat(
        Stream.of(sealed.getSimpleName() + " permits " + names),
        Arrays.stream(permitted).map(ModelShapeTest::type));
  }

  private static String type(Class<?> type) {
    if (!type.isRecord()) {
      return (type.isEnum() ? "enum " : "class ") + name(type);
    }
    return Arrays.stream(type.getRecordComponents())
        .map(component -> component.getGenericType().getTypeName() + " " + component.getName())
        .map(text -> text.replaceAll("[a-z]+\\.", "").replace('$', '.'))
        .collect(Collectors.joining(", ", "record " + name(type) + "(", ")"));
  }

  private static String name(Class<?> type) {
    return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
  }

  private static String recorded() throws IOException {
    try (InputStream stream = ModelShapeTest.class.getResourceAsStream("/model-shape.txt")) {
      return new String(
          Objects.requireNonNull(stream, "model-shape.txt").readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
