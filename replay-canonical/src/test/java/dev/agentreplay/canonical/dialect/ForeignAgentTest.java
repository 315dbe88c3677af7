package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A member of a different producer with the name of the agent is not interpreted. */
class ForeignAgentTest {

  private static final String LINE =
      "{\"agent\":%s,\"event\":\"ToolCall\",\"id\":\"c\",\"params\":{},\"params_hash\":\"%s\",\"parent\":%s,"
          + "\"step_id\":\"c\",\"t\":\"%s\",\"tool\":\"x\"}";

  @ParameterizedTest
  @ValueSource(strings = {"{\"name\":\"coder\",\"pid\":7}", "5", "null", "[\"a\"]", "true", "\"\""})
  void value_that_is_not_a_name_is_kept_without_finding(String value) {
    String line = LINE.formatted(
        value,
        "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
        value,
        Lines.TIME);

    Decoded decoded = Lines.decode(Dialect.EVENT, line);

    assertThat(decoded.findings()).isEmpty();
    assertThat(decoded.event().meta().agent()).isNull();
    assertThat(decoded.event().meta().parent()).isNull();
    assertThat(decoded.event().meta().extra().names()).containsExactly("agent", "parent");
    assertThat(Lines.encode(Dialect.EVENT, decoded.event())).isEqualTo(line);
    for (Dialect to : Dialect.values()) {
      assertThat(convert(to, Dialect.EVENT, convert(Dialect.EVENT, to, line))).isEqualTo(line);
    }
  }

  private static String convert(Dialect from, Dialect to, String line) {
    DialectConverter converter = DialectConverter.of(from, to);
    List<JsonObject> lines = new ArrayList<>(converter.convert(Lines.object(line)));
    lines.addAll(converter.finish());
    return Lines.canonical(lines.get(0));
  }
}
