package dev.agentreplay.engine.report.embedded;

import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.io.Writer;

/**
 * Writes JSON into the {@code script} element of a page.
 *
 * <p>Any text that ends such an element, or hides its end, contains one of {@code < > &}. In JSON
 * these characters occur only in strings, where they are written as escapes such as
 * {@code \}{@code u003c}. So recorded text can never become markup.
 */
public final class ScriptWriter {

  private final Writer out;

  public ScriptWriter(Writer out) {
    this.out = out;
  }

  /** Writes JSON syntax of the page itself, which must not contain any of these characters. */
  public ScriptWriter syntax(String json) throws IOException {
    out.write(json);
    return this;
  }

  public ScriptWriter value(JsonValue value) throws IOException {
    String json = value.toString();
    int from = 0;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029') {
        out.write(json, from, i - from);
        out.write("\\u%04x".formatted((int) c));
        from = i + 1;
      }
    }
    out.write(json, from, json.length() - from);
    return this;
  }
}
