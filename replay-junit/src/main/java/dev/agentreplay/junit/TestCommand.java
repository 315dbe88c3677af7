package dev.agentreplay.junit;

import dev.agentreplay.junit.ReplaySettings.Update;
import java.lang.StackWalker.StackFrame;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The command that runs a test again.
 *
 * @param settings the settings of this run
 * @param test the test that runs now, as "package.Class#method"; null if it is unknown, as in a
 *     different thread, or not sufficient, as in an abstract test class
 */
record TestCommand(ReplaySettings settings, @Nullable String test) {

  /** Words that have no special meaning in any shell. */
  private static final Pattern PLAIN = Pattern.compile("[\\w./:+@-]+");

  /** Characters that some shell expands between double quotes. */
  private static final Pattern EXPANDED = Pattern.compile("[\"$`!%\\p{Cntrl}]");

  /** Returns the command for the test that this thread runs: the outermost if they are nested. */
  static TestCommand current(ReplaySettings settings) {
    Method test = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(frames -> frames
            .map(TestCommand::test)
            .filter(Objects::nonNull)
            .reduce((inner, outer) -> outer)
            .orElse(null));
    return new TestCommand(settings, test == null ? null : name(test.getDeclaringClass(), test));
  }

  /** Returns the command for the test of a context. */
  static TestCommand of(ExtensionContext context) {
    return new TestCommand(
        ReplayExtension.settings(context),
        name(context.getRequiredTestClass(), context.getRequiredTestMethod()));
  }

  private static String name(Class<?> type, Method test) {
    return "%s#%s".formatted(type.getName(), test.getName());
  }

  /** The name of the test in messages. */
  String name() {
    return test == null ? "another test" : test;
  }

  /** Returns the command that accepts the recording. */
  String accepting(Update update) {
    return text("to accept it", update);
  }

  /**
   * Returns the command that runs the test with a property. It is a single line for POSIX shells,
   * PowerShell and cmd, to be run in the directory of the module or of the whole Maven build. If
   * there is no such command, it is described in words.
   *
   * @param purpose the words before it
   */
  String text(String purpose, Update update) {
    String property = property(ReplaySettings.UPDATE, ReplaySettings.name(update));
    if (test == null || !settings.isMaven()) {
      return "%s, run this test again with %s".formatted(purpose, property);
    }
    List<String> words = new ArrayList<>(List.of("test"));
    // the name of a nested class has a dollar, which shells expand; ? matches it in surefire
    words.add(property("test", name().replace('$', '?')));
    // so that it also runs in the directory of the whole build
    words.add(property("surefire.failIfNoSpecifiedTests", "false"));
    if (!settings.isUsualFolder()) {
      words.add(property(ReplaySettings.RECORDINGS, settings.recordings().toString()));
    }
    words.add(property);
    if (words.stream().anyMatch(word -> EXPANDED.matcher(word).find())) {
      return "%s, run %s again with %s".formatted(purpose, name(), property);
    }
    return words.stream()
        .map(TestCommand::quoted)
        .collect(Collectors.joining(" ", purpose + ": mvn ", ""));
  }

  private static String property(String name, String value) {
    return "-D%s=%s".formatted(name, value);
  }

  /** Quotes a word. PowerShell splits an unquoted word that begins with a dash at its first dot. */
  static String quoted(String word) {
    boolean isPlain = PLAIN.matcher(word).matches() && !word.startsWith("-D");
    return isPlain ? word : "\"" + word + "\"";
  }

  private static @Nullable Method test(StackFrame frame) {
    Class<?> type = frame.getDeclaringClass();
    if (frame.getMethodName().startsWith("<") || Modifier.isAbstract(type.getModifiers())) {
      return null;
    }
    try {
      Method method =
          type.getDeclaredMethod(frame.getMethodName(), frame.getMethodType().parameterArray());
      return AnnotationSupport.isAnnotated(method, Testable.class) ? method : null;
    } catch (NoSuchMethodException | TypeNotPresentException | LinkageError e) {
      return null; // not a test; finding the command must not fail
    }
  }
}
