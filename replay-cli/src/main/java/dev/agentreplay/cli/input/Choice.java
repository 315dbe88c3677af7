package dev.agentreplay.cli.input;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads one of several values by its spelling on the command line, ignoring case. */
public final class Choice<E extends Enum<E>> implements ITypeConverter<E> {

  private final Supplier<List<E>> values;
  private final Function<E, String> spelling;

  public Choice(Class<E> type, Function<E, String> spelling) {
    this(() -> Arrays.asList(type.getEnumConstants()), spelling);
  }

  /** A choice among values that are not loaded before one is read. */
  public Choice(Supplier<List<E>> values, Function<E, String> spelling) {
    this.values = values;
    this.spelling = spelling;
  }

  @Override
  public E convert(String text) {
    for (E value : values.get()) {
      if (spelling.apply(value).equalsIgnoreCase(text)) {
        return value;
      }
    }
    List<String> names = values.get().stream().map(spelling).toList();
    int last = names.size() - 1;
    String expected = last == 0
        ? names.get(0)
        : String.join(", ", names.subList(0, last)) + " or " + names.get(last);
    throw new TypeConversionException("expected %s, found \"%s\"".formatted(expected, text));
  }
}
