package dev.agentreplay.cli.input;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a value that is one of a few, by the names that people use. */
public final class Choice<E extends Enum<E>> implements ITypeConverter<E> {

  private final List<E> values;
  private final Function<E, String> spelling;

  public Choice(Class<E> type, Function<E, String> spelling) {
    this.values = Arrays.asList(type.getEnumConstants());
    this.spelling = spelling;
  }

  @Override
  public E convert(String text) {
    for (E value : values) {
      if (spelling.apply(value).equalsIgnoreCase(text)) {
        return value;
      }
    }
    throw new TypeConversionException("expected %s, found \"%s\""
        .formatted(values.stream().map(spelling).collect(Collectors.joining(" or ")), text));
  }
}
