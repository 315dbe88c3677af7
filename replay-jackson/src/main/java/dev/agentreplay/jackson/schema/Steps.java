package dev.agentreplay.jackson.schema;

import com.networknt.schema.JsonSchemaException;
import java.util.concurrent.Callable;

/**
 * The steps that the thread takes to compile a schema, or to check a value: a few references, or a
 * pattern, may take a number of steps that is exponential.
 */
final class Steps {

  private static final int MAX_REFERENCES = 20_000;
  private static final int MAX_CHARACTERS = 20_000_000;

  private static final ThreadLocal<Steps> CURRENT = ThreadLocal.withInitial(Steps::new);

  private int references;
  private int characters;

  private Steps() {}

  /** Runs a compilation or check with its own count. */
  static <T> T counted(Callable<T> body) throws Exception {
    try {
      return body.call();
    } finally {
      CURRENT.remove();
    }
  }

  /** The steps of the thread. */
  static Steps current() {
    return CURRENT.get();
  }

  /** Adds a reference that is followed. */
  void addReference() {
    if (++references > MAX_REFERENCES) {
      throw new JsonSchemaException("it takes more than %,d references".formatted(MAX_REFERENCES));
    }
  }

  /** Adds a character that a pattern reads. */
  void addCharacter() {
    if (++characters > MAX_CHARACTERS) {
      throw new JsonSchemaException("its patterns take too many steps");
    }
  }
}
