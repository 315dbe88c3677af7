package dev.agentreplay.jackson.schema;

import com.networknt.schema.JsonSchemaException;
import com.networknt.schema.regex.RegularExpression;
import dev.agentreplay.model.text.Excerpt;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** A pattern of a schema that is found anywhere in a text, in a limited number of steps. */
final class BoundedPattern implements RegularExpression {

  private final Pattern pattern;

  private BoundedPattern(Pattern pattern) {
    this.pattern = pattern;
  }

  /** Compiles a pattern. */
  static BoundedPattern compile(String pattern) {
    try {
      return new BoundedPattern(Pattern.compile(pattern));
    } catch (PatternSyntaxException e) {
      throw new JsonSchemaException(
          "invalid pattern \"%s\": %s".formatted(Excerpt.of(pattern), e.getDescription()));
    }
  }

  @Override
  public boolean matches(String value) {
    return pattern.matcher(new CountedText(value, Steps.current())).find();
  }

  /** A text that counts how often a character is read. */
  private record CountedText(String text, Steps steps) implements CharSequence {

    @Override
    public char charAt(int index) {
      steps.addCharacter();
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
