package dev.agentreplay.engine.replay.failure;

import dev.agentreplay.model.Failure;
import java.lang.reflect.Constructor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Restores the exceptions of recorded failures: each as its own class if that is an exception of
 * the packages {@code java}, or one of the caller's, and as a {@link RecordedFailureException} if
 * it is not. Message and causes are the recorded ones.
 *
 * <p>A log may come from anyone: a class that it names is looked up only among the public
 * exceptions of the JDK, by the class loader of the platform, and is used only if its constructor
 * results in the recorded message. Errors are not restored. Immutable.
 */
public final class RestoredExceptions {

  private static final RestoredExceptions JDK = new RestoredExceptions(Map.of());

  private static final String JDK_PACKAGES = "java.";

  private final Map<String, Function<@Nullable String, ? extends Exception>> constructors;

  private RestoredExceptions(
      Map<String, Function<@Nullable String, ? extends Exception>> constructors) {
    this.constructors = constructors;
  }

  /** The exceptions of the JDK. */
  public static RestoredExceptions ofJdk() {
    return JDK;
  }

  /**
   * Returns these exceptions with a class of the caller.
   *
   * @param constructor creates an exception with a message, which may be null
   */
  public <E extends Exception> RestoredExceptions with(
      Class<E> type, Function<@Nullable String, E> constructor) {
    Map<String, Function<@Nullable String, ? extends Exception>> changed =
        new HashMap<>(constructors);
    changed.put(type.getName(), Objects.requireNonNull(constructor, "constructor"));
    return new RestoredExceptions(Map.copyOf(changed));
  }

  /** Creates the exception of a failure, with its causes as far as they are recorded. */
  public Exception restore(Failure failure) {
    List<Failure> causes = failure.causes();
    @Nullable Exception cause = null;
    for (int i = causes.size() - 1; i >= 0; i--) {
      cause = restore(causes.get(i), cause);
    }
    return restore(failure, cause);
  }

  private Exception restore(Failure failure, @Nullable Exception cause) {
    String name = failure.name();
    // an exception without a message is recorded with its name as the message
    String message = Objects.equals(name, failure.message()) ? null : failure.message();
    Exception known = name == null ? null : known(name, message, cause);
    return known == null ? caused(new RecordedFailureException(message, failure), cause) : known;
  }

  private @Nullable Exception known(
      String name, @Nullable String message, @Nullable Exception cause) {
    Function<@Nullable String, ? extends Exception> constructor = constructors.get(name);
    if (constructor != null) {
      return caused(constructor.apply(message), cause);
    }
    Class<? extends Exception> type = name.startsWith(JDK_PACKAGES) ? jdk(name) : null;
    return type == null ? null : created(type, message, cause);
  }

  private static @Nullable Class<? extends Exception> jdk(String name) {
    try {
      Class<?> found = Class.forName(name, false, ClassLoader.getPlatformClassLoader());
      return Exception.class.isAssignableFrom(found) ? found.asSubclass(Exception.class) : null;
    } catch (ClassNotFoundException | LinkageError e) {
      return null; // of a different JDK
    }
  }

  /** Creates an exception by the first constructor that results in its message and cause. */
  private static @Nullable Exception created(
      Class<? extends Exception> type, @Nullable String message, @Nullable Exception cause) {
    for (Constructor<?> constructor : type.getConstructors()) {
      Class<?>[] parameters = constructor.getParameterTypes();
      @Nullable Exception created = null;
      if (parameters.length == 0) {
        created = created(constructor, cause);
      } else if (parameters[0] == String.class && parameters.length == 1) {
        created = created(constructor, cause, message);
      } else if (parameters[0] == String.class
          && parameters.length == 2
          && parameters[1].isInstance(cause)) {
        created = created(constructor, cause, message, cause);
      }
      if (created != null && Objects.equals(created.getMessage(), message)) {
        return created;
      }
    }
    return null;
  }

  private static @Nullable Exception created(
      Constructor<?> constructor, @Nullable Exception cause, @Nullable Object... arguments) {
    try {
      return caused((Exception) constructor.newInstance(arguments), cause);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null; // it takes no such message, or no cause
    }
  }

  @SuppressWarnings("ReferenceEquality") // a cause is the same object
  private static <E extends Exception> E caused(E exception, @Nullable Exception cause) {
    if (exception.getCause() != cause) {
      exception.initCause(cause);
    }
    return exception;
  }
}
