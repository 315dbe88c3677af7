package dev.agentreplay.cli.input;

import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads one of several constants by {@link Candidates#spelling}, ignoring case. */
public final class Choice<E extends Enum<E>> implements ITypeConverter<E> {

  private final Supplier<List<E>> values;

  public Choice(Class<E> type) {
    this(() -> List.of(type.getEnumConstants()));
  }

  /** A choice among values that are not loaded before one is read. */
  public Choice(Supplier<List<E>> values) {
    this.values = values;
  }

  @Override
  public E convert(String text) {
    for (E value : values.get()) {
      if (Candidates.spelling(value).equalsIgnoreCase(text)) {
        return value;
      }
    }
    List<String> names = values.get().stream().map(Candidates::spelling).toList();
    int last = names.size() - 1;
    String expected = last == 0
        ? names.get(0)
        : String.join(", ", names.subList(0, last)) + " or " + names.get(last);
    throw new TypeConversionException("expected %s, found \"%s\"".formatted(expected, text));
  }
}
