package dev.agentreplay.engine.report;

import dev.agentreplay.model.ContentHash;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The template of a viewer page: markup, styles and scripts, which are the same for all data. The
 * Content Security Policy (Level 3) of the page permits only these styles and scripts, identified
 * by their SHA-256 hashes, so that recorded text can never be executed. A page that shows recorded
 * images permits those that it contains as data.
 *
 * @param head the text before the title
 * @param middle the text between the title and the data
 * @param tail the text after the data
 */
record ViewerPage(String head, String middle, String tail) {

  /** The styles of all pages, in the order in which they override each other. */
  private static final List<String> STYLES = List.of("viewer", "steps", "texts");

  /** The scripts that show the steps of sessions. A script may use those before it. */
  private static final List<String> STEPS = List.of(
      "text",
      "numbers",
      "page",
      "controls",
      "json",
      "images",
      "values",
      "formats",
      "blocks",
      "compare",
      "sides",
      "units",
      "model",
      "prompts",
      "deltas",
      "summary",
      "edits",
      "diffs",
      "folds",
      "chat",
      "failures",
      "facts",
      "hits",
      "places",
      "canvas",
      "changes",
      "list",
      "lanes",
      "drawing",
      "timeline",
      "verdict",
      "chart",
      "overview",
      "events",
      "notes",
      "details",
      "origins",
      "forkpoints",
      "answers",
      "legend",
      "replay");

  /** The page of sessions. */
  static final ViewerPage SESSION = read("session.html", STYLES, with(STEPS, "app"), true);

  /** The page of several runs. */
  static final ViewerPage RUNS = read(
      "runs.html",
      with(STYLES, "runs"),
      with(STEPS, "sheet", "cells", "agreement", "grid", "runs"),
      true);

  /** The page of a conversation. */
  static final ViewerPage CONVERSATION = read(
      "conversation.html",
      with(STYLES, "conversation"),
      List.of(
          "text",
          "numbers",
          "page",
          "controls",
          "json",
          "images",
          "compare",
          "messages",
          "conversation"),
      false);

  /** The page of a folder of sessions. */
  static final ViewerPage FOLDER = read(
      "folder.html",
      with(STYLES, "folder"),
      List.of(
          "text",
          "numbers",
          "page",
          "controls",
          "sheet",
          "origins",
          "entries",
          "forest",
          "totals",
          "table",
          "folder"),
      false);

  private static List<String> with(List<String> names, String... more) {
    return Stream.concat(names.stream(), Stream.of(more)).toList();
  }

  private static ViewerPage read(
      String body, List<String> styles, List<String> scripts, boolean showsImages) {
    String script = resources(scripts, ".js");
    String style = resources(styles, ".css");
    String policy = String.join(
        "; ",
        "default-src 'none'",
        "script-src " + source(script),
        "style-src " + source(style),
        "img-src " + (showsImages ? "data:" : "'none'"),
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'");
    String page = resource("page.html")
        .replace("{{policy}}", policy)
        .replace("{{style}}", style)
        .replace("{{body}}", resource(body))
        .replace("{{script}}", script);
    String[] parts = page.split("\\{\\{title}}|\\{\\{data}}", -1);
    if (parts.length != 3) {
      throw new IllegalStateException(
          "page.html must have one title and one data placeholder, parts: " + parts.length);
    }
    return new ViewerPage(parts[0], parts[1], parts[2]);
  }

  private static String resources(List<String> names, String extension) {
    return names.stream().map(name -> resource(name + extension)).collect(Collectors.joining());
  }

  private static String resource(String name) {
    try (InputStream in = ViewerPage.class.getResourceAsStream("viewer/" + name)) {
      if (in == null) {
        throw new IllegalStateException("missing resource viewer/" + name);
      }
      // a browser normalizes line ends before it computes the hash
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
