package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SaltedHeaderTest {

  private static final String HEADER =
      "{\"created_at\":\"%s\",\"event\":\"ReplayHeader\",\"producer\":\"p\",\"replay_version\":1,\"salt\":\"%s\"}";

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void salt_is_kept_by_conversions(Dialect to) {
    String line = HEADER.formatted(Lines.TIME, GoldenPair.SALT.text());

    String there = convert(Dialect.EVENT, to, line);

    assertThat(((ReplayHeader) Lines.decode(to, there).event()).salt()).isEqualTo(GoldenPair.SALT);
    assertThat(convert(to, Dialect.EVENT, there)).isEqualTo(line);
  }

  private static String convert(Dialect from, Dialect to, String line) {
    DialectConverter converter = DialectConverter.of(from, to);
    List<JsonObject> lines = new ArrayList<>(converter.convert(Lines.object(line)));
    lines.addAll(converter.finish());
    return Lines.canonical(lines.get(0));
  }

  @Test
  void text_that_is_not_256_bits_is_invalid_and_kept() {
    String line = HEADER.formatted(Lines.TIME, "c2FsdA");

    Decoded decoded = Lines.decode(Dialect.EVENT, line);

    assertThat(Lines.texts(decoded.findings()))
        .containsExactly("FIELD_INVALID salt must be 256 bits as base64url without padding,"
            + " 43 characters, found string \"c2FsdA\"");
    assertThat(((ReplayHeader) decoded.event()).salt()).isNull();
    assertThat(Lines.encode(Dialect.EVENT, decoded.event())).isEqualTo(line);
  }
}
