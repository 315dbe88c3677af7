package dev.agentreplay.engine.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.engine.report.Conversation.Absent;
import dev.agentreplay.engine.report.Conversation.Round;
import dev.agentreplay.engine.report.Conversation.Row;
import dev.agentreplay.engine.report.Conversation.Text;
import dev.agentreplay.engine.report.embedded.ScriptWriter;
import dev.agentreplay.model.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The data of the page of a conversation. */
class ConversationPageTest {

  private static final Pattern DATA = Pattern.compile(
      "<script type=\"application/json\" id=\"data\">(.*?)</script>", Pattern.DOTALL);

  private static String page(Conversation conversation) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    HtmlViewer.render(conversation, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String dataText(String page) {
    Matcher data = DATA.matcher(page);
    assertThat(data.find()).isTrue();
    return data.group(1);
  }

  private static JsonObject data(Conversation conversation, long characters, int rows)
      throws IOException {
    StringWriter out = new StringWriter();
    new ConversationData(new ScriptWriter(out), characters, rows).write(conversation);
    return JsonText.parse(out.toString()).asObject();
  }

  private static Conversation of(Row... rows) {
    return Conversation.titled("t")
        .round(new Round(0, "Round 0", List.of(), List.of(rows)))
        .build();
  }

  private static Row row(int number, String text) {
    return Row.of(TestConversations.message(number, "a", "", "DELTA", text));
  }

  @Test
  void data_of_a_page_is_the_approved_one() throws IOException {
    String page = page(TestConversations.compared());
    Path kept = Path.of("target/reports");
    Files.createDirectories(kept);
    Files.writeString(kept.resolve("conversation.html"), page);
    String actual = JsonText.pretty(JsonText.parse(dataText(page))) + "\n";
    Files.writeString(kept.resolve("conversation.json"), actual);

    try (InputStream in =
        ConversationPageTest.class.getResourceAsStream("/reports/conversation.json")) {
      assertThat(actual)
          .as("to approve it, from replay-engine:"
              + " cp target/reports/conversation.json src/test/resources/reports/")
          .isEqualTo(in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void same_conversation_makes_the_same_page() throws IOException {
    assertThat(page(TestConversations.compared())).isEqualTo(page(TestConversations.compared()));
  }

  @Test
  void page_loads_nothing_and_permits_only_its_own_script_and_style() throws IOException {
    String page = page(TestConversations.compared());

    assertThat(page)
        .contains("default-src 'none'", "script-src 'sha256-", "style-src 'sha256-")
        .contains("<title>Verification of RS20260101-cell-fate</title>")
        .doesNotContain("{{", "src=", "@import", "url(", "http:", "https:");
    assertThat(page.split("<script", -1)).hasSize(3);
  }

  @Test
  void hostile_texts_write_no_character_of_markup() throws IOException {
    String page = page(TestConversations.hostile());

    assertThat(dataText(page)).doesNotContain("<", ">", "&", "\u2028", "\u2029");
    assertThat(page.split("<script", -1)).hasSize(3);
    assertThat(page).contains("<title>&lt;script&gt;window.pwned");
    assertThat(JsonText.parse(dataText(page)).at("/rounds/0/rows/0/left/text").asString())
        .isEqualTo(ViewedSessions.HOSTILE.get(0));
  }

  @Test
  void text_of_both_sides_is_embedded_once_if_it_is_the_same() throws IOException {
    JsonObject right = data(TestConversations.compared(), 100_000, 100)
        .at("/rounds/0/rows/1/right")
        .asObject();

    assertThat(right.names()).contains("same").doesNotContain("text");
  }

  @Test
  void long_text_is_cut_and_its_length_stated() throws IOException {
    String text = "x".repeat(ViewerData.VALUE - 1) + "\ud83d\ude00" + "y";
    JsonObject message =
        data(of(row(0, text)), 1 << 20, 10).at("/rounds/0/rows/0/left").asObject();

    assertThat(message.at("/size").asLong()).isEqualTo(ViewerData.VALUE + 2L);
    assertThat(message.at("/text").asString()).hasSize(ViewerData.VALUE - 1).endsWith("x");
  }

  @Test
  void text_beyond_the_limit_of_all_texts_is_omitted_and_its_length_stated() throws IOException {
    JsonObject data =
        data(of(row(0, "x".repeat(90)), row(1, "yy"), row(2, "z".repeat(50))), 100, 9);

    assertThat(data.at("/rounds/0/rows/1/left/text").asString()).isEqualTo("yy");
    assertThat(data.at("/rounds/0/rows/2/left/size").asLong()).isEqualTo(50);
    assertThat(data.at("/rounds/0/rows/2/left").asObject().names()).doesNotContain("text");
  }

  @Test
  void rows_beyond_the_limit_are_counted() throws IOException {
    JsonObject data = data(of(row(0, "a"), row(1, "b"), row(2, "c")), 100, 2);

    assertThat(data.at("/rounds/0/rows").asArray().size()).isEqualTo(2);
    assertThat(data.at("/omitted").asLong()).isEqualTo(1);
  }

  @Test
  void long_names_and_sentences_are_cut() throws IOException {
    String text = "n".repeat(5_000);
    Conversation conversation = Conversation.titled(text)
        .headline(Conversation.Tone.GOOD, text, text)
        .round(new Round(
            0,
            text,
            List.of(),
            List.of(Row.of(TestConversations.message(0, text, text, text, new Absent(text))))))
        .build();

    assertThat(data(conversation, 100, 10).toString()).hasSizeLessThan(4_000);
  }

  @Test
  void row_without_a_message_is_refused() {
    assertThatThrownBy(() -> new Row(null, null, false, null, "", List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a row must have a message");
  }

  @Test
  void conversation_does_not_change_after_it_was_built() {
    Conversation.Builder builder = Conversation.titled("t").fact("a", "b").notice("c");
    Conversation conversation = builder.build();
    builder.fact("d", "e").notice("f").figure("g", "h").sides("i", "j");

    assertThat(conversation.facts()).hasSize(1);
    assertThat(conversation.notices()).containsExactly("c");
    assertThat(conversation.figures()).isEmpty();
    assertThat(conversation.sides()).isNull();
    assertThat(conversation.headline().verdict()).isEmpty();
    assertThat(new Text("t", "m").mark()).isEqualTo("m");
  }
}
