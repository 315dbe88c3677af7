package dev.agentreplay.engine.report;

import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * The page that shows the data: its markup, its style and its scripts, which are the same for all
 * sessions. Its policy (Content Security Policy Level 3) lets it run and load these and nothing
 * else: they are named by their hashes, so nothing that was recorded could be taken for one.
 *
 * @param head what stands before the title
 * @param middle what stands between the title and the data
 * @param tail what stands after the data
 */
record ViewerPage(String head, String middle, String tail) {

  /** In the order in which one builds on another. */
  private static final List<String> SCRIPTS =
      List.of("text", "json", "compare", "model", "list", "timeline", "overview", "details", "app");

  static final ViewerPage INSTANCE = read();

  private static ViewerPage read() {
    StringBuilder script = new StringBuilder();
    SCRIPTS.forEach(name -> script.append(resource(name + ".js")));
    String style = resource("viewer.css");
    String policy = String.join(
        "; ",
        "default-src 'none'",
        "script-src " + source(script.toString()),
        "style-src " + source(style),
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'");
    String page = resource("viewer.html")
        .replace("{{policy}}", policy)
        .replace("{{style}}", style)
        .replace("{{script}}", script);
    String[] parts = page.split("\\{\\{title}}|\\{\\{data}}", -1);
    if (parts.length != 3) {
      throw new IllegalStateException("a title and data have a place, found " + parts.length);
    }
    return new ViewerPage(parts[0], parts[1], parts[2]);
  }

  private static String resource(String name) {
    try (InputStream in = ViewerPage.class.getResourceAsStream("viewer/" + name)) {
      if (in == null) {
        throw new IllegalStateException("no resource viewer/" + name);
      }
      // a browser hashes what is left once it has read a carriage return as a line feed
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException e) {
      throw new IllegalStateException("resource viewer/" + name + " cannot be read", e);
    }
  }

  private static String source(String text) {
    byte[] digest = ContentHash.newDigest().digest(text.getBytes(StandardCharsets.UTF_8));
    return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
  }
}
