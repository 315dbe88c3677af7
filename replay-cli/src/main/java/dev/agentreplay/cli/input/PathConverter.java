package dev.agentreplay.cli.input;

import dev.agentreplay.cli.text.Failures;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads paths, and refuses names that the platform's encoding cannot represent. */
public final class PathConverter implements ITypeConverter<Path> {

  @Override
  public Path convert(String text) {
    try {
      return parse(text);
    } catch (NoSuchFileException e) {
      throw new TypeConversionException(Failures.describe(e));
    }
  }

  /** Parses an argument that is either a path or something else. */
  public static Path parse(String text) throws NoSuchFileException {
    if (text.isEmpty()) {
      throw new NoSuchFileException("\"\"", null, "an empty name");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new NoSuchFileException(text, null, "not a path: " + e.getReason());
    }
  }
}
