package dev.agentreplay.lint.pattern;

import dev.agentreplay.model.text.NearestName;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A category, or a pattern of called methods, of a suppression.
 *
 * @param category a category; null if there is a pattern
 * @param pattern a pattern of called methods; null if there is a category
 */
record Selector(@Nullable Category category, @Nullable MemberPattern pattern) {

  /**
   * Parses the id of a category, or a pattern.
   *
   * @throws IllegalArgumentException if it is neither
   */
  static Selector parse(String text) {
    Category category = Category.ofId(text);
    if (category != null) {
      return new Selector(category, null);
    }
    if (text.indexOf('.') < 0) {
      List<String> ids = Arrays.stream(Category.values()).map(Category::id).toList();
      throw new IllegalArgumentException("expected a pattern, or a category, one of %s, found %s%s"
          .formatted(String.join(", ", ids), text, NearestName.suggestion(text, ids)));
    }
    return new Selector(null, MemberPattern.parse(text));
  }

  boolean covers(Category called, String owner, String name, String descriptor) {
    return called == category || (pattern != null && pattern.matches(owner, name, descriptor));
  }

  @Override
  public String toString() {
    return category != null ? category.id() : String.valueOf(pattern);
  }
}
