package dev.agentreplay.lint.code;

/**
 * An input that could not be read.
 *
 * @param file the file, or the class in a jar
 * @param kind the kind of problem
 * @param reason the reason, for people
 */
public record ReadProblem(String file, Kind kind, String reason) {

  /** The kinds of problems. */
  public enum Kind {
    /** The file or directory cannot be read, or is neither a directory nor a jar. */
    INPUT,
    /** A class file is broken. */
    BROKEN_CLASS,
    /** A class file is of a version that is newer than those that are known. */
    UNSUPPORTED_VERSION,
    /** A method is too large for its values to be followed, so not all of its calls are judged. */
    METHOD_TOO_LARGE,
    /** A jar in an input was not opened, so its classes, which may be loaded, were not scanned. */
    NESTED_JAR,
    /** A jar in an input, at a place from which no classes are loaded, was not opened. */
    RESOURCE_JAR,
    /** A class is in the inputs more than once; the first one was scanned. */
    DUPLICATE_CLASS,
    /** An annotation that suppresses findings is invalid, and suppresses nothing. */
    INVALID_SUPPRESSION;

    /** Whether code was not scanned because of it. */
    public boolean isUnreadable() {
      return switch (this) {
        case INPUT, BROKEN_CLASS, UNSUPPORTED_VERSION, METHOD_TOO_LARGE, NESTED_JAR -> true;
        case RESOURCE_JAR, DUPLICATE_CLASS, INVALID_SUPPRESSION -> false;
      };
    }
  }
}
