package dev.agentreplay.convert.trace.claude;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A patch leads from one text to another, and to no other one. */
class TextPatchPropertiesTest {

  @Provide
  static Arbitrary<String> texts() {
    return Arbitraries.of("a", "b", "\t", "  ", "\n")
        .list()
        .ofMaxSize(8)
        .map(parts -> String.join("", parts));
  }

  /** A patch that replaces all lines, as {@code diff} writes it. */
  private static JsonArray patch(String before, String after) {
    List<String> lines = new ArrayList<>();
    add(lines, "-", before);
    add(lines, "+", after);
    return JsonArray.of(JsonObject.of("oldStart", 1, "lines", lines));
  }

  private static void add(List<String> lines, String sign, String text) {
    if (text.isEmpty()) {
      return;
    }
    boolean isOpen = !text.endsWith("\n");
    String whole = isOpen ? text : text.substring(0, text.length() - 1);
    for (String line : whole.split("\n", -1)) {
      lines.add(sign + line);
    }
    if (isOpen) {
      lines.add("\\ No newline at end of file");
    }
  }

  @Property
  void patchLeadsFromOneTextToTheOther(
      @ForAll("texts") String before, @ForAll("texts") String after) {
    assertThat(TextPatch.leads(patch(before, after), before, after)).isTrue();
    assertThat(TextPatch.leads(patch(before, after), before, after + "x")).isFalse();
    assertThat(TextPatch.leads(patch(before, after), before, after + "\n")).isFalse();
  }

  @Property
  void patchOfAnotherText_doesNotFit(
      @ForAll("texts") String before, @ForAll("texts") String after) {
    assertThat(TextPatch.leads(patch(before + "c\n", after), before, after)).isFalse();
  }
}
