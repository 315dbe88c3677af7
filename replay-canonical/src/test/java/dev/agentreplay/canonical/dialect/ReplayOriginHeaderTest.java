package dev.agentreplay.canonical.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayOriginHeaderTest {

  private static final String HEADER =
      "{\"created_at\":\"%s\",\"event\":\"ReplayHeader\",\"producer\":\"p\",\"replay_of\":%s,\"replay_version\":1}";

  private static final String ORIGIN =
      "{\"mode\":\"mock\",\"session_id\":\"first\",\"tree_root\":\"HASH\",\"tree_size\":4}";

  private static String header(String origin) {
    return HEADER.formatted(Lines.TIME, origin.replace("HASH", Lines.OUTPUT_HASH));
  }

  private static ReplayHeader read(Dialect dialect, String line) {
    return (ReplayHeader) Lines.decode(dialect, line).event();
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void origin_is_kept_by_conversions(Dialect to) {
    String line = header(ORIGIN);

    String there = convert(Dialect.EVENT, to, line);

    assertThat(read(to, there).replayOf()).isEqualTo(GoldenPair.ORIGIN);
    assertThat(convert(to, Dialect.EVENT, there)).isEqualTo(line);
  }

  private static String convert(Dialect from, Dialect to, String line) {
    DialectConverter converter = DialectConverter.of(from, to);
    List<JsonObject> lines = new ArrayList<>(converter.convert(Lines.object(line)));
    lines.addAll(converter.finish());
    return Lines.canonical(lines.get(0));
  }

  @Test
  void session_id_is_optional() {
    String line = header("{\"mode\":\"full\",\"tree_root\":\"HASH\",\"tree_size\":1}");

    ReplayHeader header = read(Dialect.EVENT, line);

    assertThat(header.replayOf())
        .isEqualTo(new ReplayOrigin(null, new TreeHead(1, Lines.hash(Lines.OUTPUT_HASH)), "full"));
    assertThat(Lines.encode(Dialect.EVENT, header)).isEqualTo(line);
  }

  @Test
  void root_without_its_prefix_is_written_back() {
    String line = header(ORIGIN).replace("sha256:", "");

    ReplayHeader header = read(Dialect.EVENT, line);

    assertThat(header.replayOf()).isEqualTo(GoldenPair.ORIGIN);
    assertThat(Lines.encode(Dialect.EVENT, header)).isEqualTo(line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"first\"",
        "[]",
        "{}",
        "{\"tree_root\":\"HASH\",\"tree_size\":4}",
        "{\"mode\":\"mock\",\"tree_root\":\"HASH\"}",
        "{\"mode\":\"mock\",\"tree_size\":4}",
        "{\"mode\":1,\"tree_root\":\"HASH\",\"tree_size\":4}",
        "{\"mode\":null,\"tree_root\":\"HASH\",\"tree_size\":4}",
        "{\"mode\":\"mock\",\"tree_root\":\"HASH0\",\"tree_size\":4}",
        "{\"mode\":\"mock\",\"tree_root\":\"sha256:unknown\",\"tree_size\":4}",
        "{\"mode\":\"mock\",\"tree_root\":\"HASH\",\"tree_size\":\"4\"}",
        "{\"mode\":\"mock\",\"tree_root\":\"HASH\",\"tree_size\":4.5}",
        "{\"mode\":\"mock\",\"tree_root\":\"HASH\",\"tree_size\":9223372036854775808}",
        "{\"mode\":\"mock\",\"session_id\":null,\"tree_root\":\"HASH\",\"tree_size\":4}",
        "{\"mode\":\"mock\",\"session_id\":1,\"tree_root\":\"HASH\",\"tree_size\":4}",
        "{\"mode\":\"mock\",\"other\":1,\"tree_root\":\"HASH\",\"tree_size\":4}"
      })
  void member_of_the_wrong_form_is_invalid_and_kept(String origin) {
    String line = header(origin);

    Decoded decoded = Lines.decode(Dialect.EVENT, line);

    assertThat(Lines.texts(decoded.findings()))
        .singleElement()
        .asString()
        .startsWith("FIELD_INVALID replay_of must be an object of mode, tree_root, tree_size and,"
            + " if known, session_id, found ");
    assertThat(((ReplayHeader) decoded.event()).replayOf()).isNull();
    assertThat(Lines.encode(Dialect.EVENT, decoded.event())).isEqualTo(line);
  }
}
