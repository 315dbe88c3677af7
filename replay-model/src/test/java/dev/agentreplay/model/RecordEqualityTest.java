package dev.agentreplay.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.finding.Position;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records with methods of their own compare every component, also one that is added later. */
class RecordEqualityTest {

  @ParameterizedTest
  @ValueSource(classes = {Position.class, TreeHead.class})
  void every_component_is_compared(Class<? extends Record> type) throws Exception {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Object[] values = Arrays.stream(types).map(each -> value(each, 1)).toArray();
    Record record = type.getDeclaredConstructor(types).newInstance(values);
    Record same = type.getDeclaredConstructor(types).newInstance(values);

    assertThat(record).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo("");
    for (int i = 0; i < types.length; i++) {
      Object[] changed = values.clone();
      changed[i] = value(types[i], 2);
      assertThat(record)
          .as(components[i].getName())
          .isNotEqualTo(type.getDeclaredConstructor(types).newInstance(changed));
    }
  }

  private static Object value(Class<?> type, int number) {
    return type == long.class
        ? (Object) (long) number
        : ContentHash.parse("sha256:" + Integer.toString(number).repeat(64));
  }
}
