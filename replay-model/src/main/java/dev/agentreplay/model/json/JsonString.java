package dev.agentreplay.model.json;

import dev.agentreplay.model.text.Surrogates;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JSON string: a sequence of Unicode code points, without lone surrogates. Immutable and safe for
 * use by several threads.
 */
public final class JsonString implements JsonValue {

  /** The text: a String, or a LazyText. */
  private final Object text;

  /** Creates a string from text that is known to be well-formed. */
  JsonString(String text) {
    this.text = text;
  }

  /** Creates a string whose text is that of a JSON string. */
  JsonString(LazyText json) {
    this.text = json;
  }

  /**
   * Creates a string with the given text.
   *
   * @throws IllegalArgumentException if the text has a lone surrogate
   */
  public static JsonString of(String value) {
    return new JsonString(requireWellFormed(value));
  }

  /** Throws if the text has a lone surrogate, else returns it; used for member names as well. */
  static String requireWellFormed(String text) {
    Objects.requireNonNull(text, "text");
    int lone = Surrogates.indexOfLone(text);
    if (lone >= 0) {
      throw Surrogates.lone(text, lone);
    }
    return text;
  }

  /** The text. It does not have lone surrogates, because they have no UTF-8 form. */
  public String value() {
    return text instanceof String known ? known : ((LazyText) text).value().asString();
  }

  /** The JSON text from which the text is created when it is first used; null if there is none. */
  @Nullable
  LazyText lazyText() {
    return text instanceof LazyText lazy ? lazy : null;
  }

  @Override
  public String typeName() {
    return "string";
  }

  @Override
  public String asString() {
    return value();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JsonString that && value().equals(that.value());
  }

  @Override
  public int hashCode() {
    return value().hashCode();
  }

  @Override
  public String toString() {
    return JsonPrinter.print(this);
  }
}
