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
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * How to run a test again.
 *
 * @param settings how this run was made
 * @param test the method that runs now; null if it is not known, as in another thread, or not
 *     enough to run it, as in a class that is tested by those that extend it
 */
record TestCommand(ReplaySettings settings, @Nullable Method test) {

  /** What no shell takes for anything else. */
  private static final Pattern PLAIN = Pattern.compile("[\\w./:+@-]+");

  /** What some shell expands between double quotes. */
  private static final Pattern EXPANDED = Pattern.compile("[\"$`!%\\p{Cntrl}]");

  /** Of the test that this thread runs: the outermost, if one runs another. */
  static TestCommand current(ReplaySettings settings) {
    Method test = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(frames -> frames
            .map(TestCommand::test)
            .filter(Objects::nonNull)
            .reduce((inner, outer) -> outer)
            .orElse(null));
    return new TestCommand(settings, test);
  }

  /** The test, for people. */
  String name() {
    return test == null
        ? "another test"
        : "%s#%s".formatted(test.getDeclaringClass().getName(), test.getName());
  }

  /**
   * The command that accepts the recording, on one line, for a POSIX shell, PowerShell and cmd
   * alike, where Maven is run for the module or the whole build; in words, if there is no such
   * command.
   */
  String accepting(Update update) {
    String property = property(ReplaySettings.UPDATE, ReplaySettings.name(update));
    if (test == null || !settings.isMaven()) {
      return "to accept it, run this test again with " + property;
    }
    List<String> words = new ArrayList<>(List.of("test"));
    // a nested class has a dollar in its name, which shells expand; for surefire ? is any character
    words.add(property("test", name().replace('$', '?')));
    // so that it runs in the directory of the module and in that of the whole build
    words.add(property("surefire.failIfNoSpecifiedTests", "false"));
    if (!settings.isUsualFolder()) {
      words.add(property(ReplaySettings.RECORDINGS, settings.recordings().toString()));
    }
    words.add(property);
    if (words.stream().anyMatch(word -> EXPANDED.matcher(word).find())) {
      return "to accept it, run %s again with %s".formatted(name(), property);
    }
    return words.stream()
        .map(TestCommand::quoted)
        .collect(Collectors.joining(" ", "to accept it: mvn ", ""));
  }

  private static String property(String name, String value) {
    return "-D%s=%s".formatted(name, value);
  }

  /** PowerShell takes a word that begins with a dash apart at the first dot. */
  private static String quoted(String word) {
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
      return null; // no test then: the command is not worth a failure
    }
  }
}
