package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.FileContent;
import dev.agentreplay.engine.diff.Sides;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.diff.StepKind;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.diff.ValueChange.FileContents;
import dev.agentreplay.model.Names;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The phrases of reports about the states of files. */
final class FileWording {

  private static final String HASH_BEFORE = "/" + Names.HASH_BEFORE;
  private static final String HASH_AFTER = "/" + Names.HASH_AFTER;
  private static final String MODE = "/" + Names.MODE;

  private FileWording() {}

  /** A step that only one session has; of a file, with the change and the length of the file. */
  static String single(Step step, String subject) {
    return step.kind() == StepKind.FILE_STATE
        ? "the state of %s (%s)".formatted(subject, step.summary())
        : subject;
  }

  /** The difference between two states of a file. */
  static String state(Divergence divergence, String file, UnaryOperator<String> name) {
    List<String> differences = new ArrayList<>();
    for (ValueChange value : divergence.values()) {
      boolean areBoth = value.sides() instanceof Sides.Both;
      String modes = modes(value);
      if (value.pointer().equals(HASH_AFTER) && !areBoth) {
        return "%s was %s instead of %s"
            .formatted(file, summary(divergence.right()), summary(divergence.left()));
      } else if (value.pointer().equals(HASH_AFTER)) {
        differences.add("different content");
      } else if (value.pointer().equals(HASH_BEFORE) && areBoth) {
        differences.add("different content before the change");
      } else if (modes != null) {
        differences.add("a different mode, " + name.apply(modes));
      }
    }
    return file
        + " has "
        + (differences.isEmpty() ? "a different state" : String.join(" and ", differences));
  }

  private static String summary(@Nullable Step step) {
    return step == null ? "" : step.summary();
  }

  /** The change of the mode of a file, unquoted; null for other places. */
  static @Nullable String modes(ValueChange value) {
    return value.pointer().equals(MODE)
            && value.kind() == DivergenceKind.FILE_STATE
            && value.before() instanceof JsonString before
            && value.after() instanceof JsonString after
        ? before.value() + " -> " + after.value()
        : null;
  }

  /** Whether a place is shown as the texts of a file. */
  static boolean areTexts(ValueChange value) {
    return value.detail() instanceof FileContents contents && contents.areTexts();
  }

  /** The reason why two contents are not compared line by line. */
  static String contents(FileContents contents) {
    FileContent left = contents.sides().left();
    FileContent right = contents.sides().right();
    String both = right == null || left == null || form(left).equals(form(right))
        ? form(contents.sides().any())
        : "- %s; + %s".formatted(form(left), form(right));
    return "not compared line by line: " + both;
  }

  private static String form(FileContent content) {
    String length = content.bytes() == null ? "" : ", " + PlainText.count(content.bytes(), "byte");
    return switch (content.form()) {
      case TEXT -> "text" + length;
      case BINARY -> "binary" + length;
      case LARGE -> "more than " + PlainText.count(FileContent.MAX_BYTES, "byte");
      case MISSING -> "content not stored";
      case OMITTED -> "the contents of earlier divergences took all the memory";
    };
  }

  /** The number of lines of a text. */
  static String lines(String text) {
    return PlainText.count(text.lines().count(), "line");
  }
}
