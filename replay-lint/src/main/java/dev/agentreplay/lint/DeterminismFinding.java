package dev.agentreplay.lint;

import dev.agentreplay.lint.pattern.Category;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;

/** A nondeterministic call that an agent reaches without its context. Immutable. */
public final class DeterminismFinding {

  private final Category category;
  private final String api;
  private final String detail;
  private final String remedy;
  private final List<CallStep> path;

  DeterminismFinding(
      Category category, String api, String detail, String remedy, List<CallStep> path) {
    this.category = category;
    this.api = api;
    this.detail = detail;
    this.remedy = remedy;
    this.path = List.copyOf(path);
  }

  /** The kind of nondeterminism. */
  public Category category() {
    return category;
  }

  /**
   * The called method with the types of its parameters, such as
   * {@code java.lang.System.nanoTime()}: a pattern that names it.
   */
  public String api() {
    return api;
  }

  /** The API that a collection without an order comes from; empty for other categories. */
  public String detail() {
    return detail;
  }

  /** The replacement of the call; empty if the pattern has none. */
  public String remedy() {
    return remedy;
  }

  /** The method that has the call, and its line. */
  public CallStep location() {
    return path.get(path.size() - 1);
  }

  /** The shortest way from an entry point to the call: methods with the lines of their calls. */
  public List<CallStep> path() {
    return path;
  }

  JsonObject.Builder json() {
    CallStep location = location();
    return JsonObject.builder()
        .put("category", category.id())
        .put("api", api)
        .put("detail", detail.isEmpty() ? null : detail)
        .put("class", location.className())
        .put("method", location.methodName())
        .put("file", location.file())
        .put("line", location.line())
        .put("remedy", remedy.isEmpty() ? null : remedy)
        .put("path", JsonArray.copyOf(path.stream().map(CallStep::json).toList()));
  }

  /** Returns category, called method and place. */
  @Override
  public String toString() {
    return "%s %s%s at %s"
        .formatted(category.id(), api, detail.isEmpty() ? "" : " of " + detail, location());
  }
}
