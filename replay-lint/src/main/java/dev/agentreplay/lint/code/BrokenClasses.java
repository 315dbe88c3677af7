package dev.agentreplay.lint.code;

import dev.agentreplay.lint.code.ReadProblem.Kind;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns the failures of reading a class file into problems. */
final class BrokenClasses {

  private BrokenClasses() {}

  /** Reads something of a class file. */
  interface Reading<T extends @Nullable Object> {
    T read() throws IOException;
  }

  /** Returns what was read; null, with a problem, if it cannot be read. */
  static <T extends @Nullable Object> @Nullable T guard(
      String file, List<ReadProblem> problems, Reading<T> reading) {
    try {
      return reading.read();
    } catch (IOException e) {
      problems.add(new ReadProblem(file, Kind.INPUT, ClassIndex.reason(e)));
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      boolean isVersion = message.startsWith("Unsupported class file");
      problems.add(new ReadProblem(
          file,
          isVersion ? Kind.UNSUPPORTED_VERSION : Kind.BROKEN_CLASS,
          isVersion ? message : "not a valid class file: " + message));
    } catch (RuntimeException e) {
      // ASM checks little: an index out of bounds, or a cast that fails
      problems.add(new ReadProblem(file, Kind.BROKEN_CLASS, "not a valid class file: " + e));
    } catch (StackOverflowError e) {
      // ASM reads nested annotations recursively
      problems.add(new ReadProblem(file, Kind.BROKEN_CLASS, "nested too deeply to be read"));
    }
    return null;
  }
}
