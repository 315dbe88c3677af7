package dev.agentreplay.engine.report;

/** Writes untrusted text into XML 1.0. Safe for use by several threads. */
public final class XmlText {

  private XmlText() {}

  /**
   * Escapes a text for an element or for an attribute in double quotes. U+FFFE and U+FFFF, which
   * XML does not allow, are replaced by U+FFFD. Control characters and lone surrogates, which it
   * does not allow either, must have been replaced before:
   * {@link dev.agentreplay.model.text.PlainText} does that.
   */
  public static String escape(String text) {
    StringBuilder out = new StringBuilder(text.length() + text.length() / 8);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\uFFFE', '\uFFFF' -> out.append('\uFFFD');
        default -> out.append(c);
      }
    }
    return out.toString();
  }
}
