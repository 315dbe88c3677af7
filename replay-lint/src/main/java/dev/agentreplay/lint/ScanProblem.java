package dev.agentreplay.lint;

import dev.agentreplay.lint.code.ReadProblem;
import dev.agentreplay.model.json.JsonObject;
import java.util.Locale;

/** Something that was not scanned as it is, with the reason. Immutable. */
public final class ScanProblem {

  private final ReadProblem problem;

  ScanProblem(ReadProblem problem) {
    this.problem = problem;
  }

  /** The directory, jar or class file; that in a jar follows after {@code !/}. */
  public String file() {
    return problem.file();
  }

  /**
   * The kind: {@code input}, {@code broken_class}, {@code unsupported_version},
   * {@code method_too_large}, {@code nested_jar}, {@code resource_jar}, {@code duplicate_class}, or
   * {@code invalid_suppression}.
   */
  public String kind() {
    return problem.kind().name().toLowerCase(Locale.ROOT);
  }

  /** The reason, for people. */
  public String reason() {
    return problem.reason();
  }

  /** Whether something that was to be scanned was not: the first five kinds. */
  public boolean isUnreadable() {
    return problem.kind().isUnreadable();
  }

  JsonObject json() {
    return JsonObject.of(
        "kind", kind(), "file", file(), "reason", reason(), "unreadable", isUnreadable());
  }

  /** Returns file and reason. */
  @Override
  public String toString() {
    return file() + ": " + reason();
  }
}
