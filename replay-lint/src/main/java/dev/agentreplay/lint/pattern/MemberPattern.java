package dev.agentreplay.lint.pattern;

import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;

/**
 * A pattern of packages, classes or methods, in the spelling of Java sources.
 *
 * <table>
 * <caption>Forms, from the most specific one</caption>
 * <tr><td>{@code java.util.Random.<init>(long)}</td><td>one method or constructor</td></tr>
 * <tr><td>{@code java.util.UUID.randomUUID}</td><td>all methods with the name, or a static field</td></tr>
 * <tr><td>{@code java.net.Socket}</td><td>all methods of a class</td></tr>
 * <tr><td>{@code java.net.*}</td><td>all classes of a package</td></tr>
 * <tr><td>{@code java.net.**}</td><td>all classes of a package and those below it</td></tr>
 * </table>
 *
 * <p>The name of a class begins with an upper-case letter; nested classes follow after {@code .} or
 * {@code $}, so that constants in upper case cannot be named. Immutable, safe for use by several
 * threads.
 */
public final class MemberPattern {

  private final String text;
  private final Form form;
  private final String name;
  private final @Nullable String method;
  private final @Nullable String parameters;

  /** The forms of a pattern, the least specific one first. */
  enum Form {
    PACKAGE_TREE,
    PACKAGE,
    CLASS,
    METHOD,
    OVERLOAD
  }

  private MemberPattern(
      String text, Form form, String name, @Nullable String method, @Nullable String parameters) {
    this.text = text;
    this.form = form;
    this.name = name;
    this.method = method;
    this.parameters = parameters;
  }

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException if it is not one; the message has the reason
   */
  public static MemberPattern parse(String text) {
    int open = text.indexOf('(');
    if (open < 0) {
      return withoutParameters(text);
    }
    if (!text.endsWith(")")) {
      throw new IllegalArgumentException("expected ) at the end, found " + text);
    }
    String member = text.substring(0, open);
    int dot = member.lastIndexOf('.');
    if (dot <= 0) {
      throw new IllegalArgumentException("expected CLASS.method before (, found " + text);
    }
    String className = PatternNames.className(member.substring(0, dot));
    String method = PatternNames.method(member.substring(dot + 1), className);
    String list = text.substring(open + 1, text.length() - 1).strip();
    return new MemberPattern(text, Form.OVERLOAD, className, method, PatternNames.parameters(list));
  }

  /**
   * Returns the pattern of a class, which may have a name that {@link #parse} does not take for one
   * of a class.
   *
   * @param internalName the name in class files, with slashes
   */
  public static MemberPattern ofClass(String internalName) {
    return new MemberPattern(
        PatternNames.source(internalName), Form.CLASS, internalName, null, null);
  }

  /**
   * Returns the pattern of a method or constructor, by the names in class files.
   *
   * @param owner the internal name of the class, with slashes
   * @param methodName the name of the method, {@code <init>} for constructors
   * @param descriptor its descriptor
   */
  public static MemberPattern ofMethod(String owner, String methodName, String descriptor) {
    String list = Stream.of(Type.getArgumentTypes(descriptor))
        .map(type -> PatternNames.source(type.getClassName()))
        .collect(Collectors.joining(", "));
    return new MemberPattern(
        "%s.%s(%s)".formatted(PatternNames.source(owner), methodName, list),
        Form.OVERLOAD,
        owner,
        methodName,
        descriptor.substring(0, descriptor.indexOf(')') + 1));
  }

  private static MemberPattern withoutParameters(String text) {
    if (text.equals("**") || text.endsWith(".**")) {
      String prefix = text.substring(0, text.length() - 2);
      PatternNames.requirePackage(prefix, text);
      return new MemberPattern(text, Form.PACKAGE_TREE, prefix.replace('.', '/'), null, null);
    }
    if (text.endsWith(".*") && !PatternNames.hasClass(text)) {
      String prefix = text.substring(0, text.length() - 1);
      PatternNames.requirePackage(prefix, text);
      return new MemberPattern(text, Form.PACKAGE, prefix.replace('.', '/'), null, null);
    }
    int end = PatternNames.endOfClass(text);
    String className = PatternNames.className(text.substring(0, end));
    if (end == text.length() || text.substring(end).equals(".*")) {
      return new MemberPattern(text, Form.CLASS, className, null, null);
    }
    String method = PatternNames.method(text.substring(end + 1), className);
    return new MemberPattern(text, Form.METHOD, className, method, null);
  }

  Form form() {
    return form;
  }

  /** The class with slashes, or the package with a final slash. */
  String internalName() {
    return name;
  }

  /** Whether the pattern is one of classes or packages, not of single methods. */
  public boolean isOfType() {
    return method == null;
  }

  /**
   * Whether the pattern matches a method.
   *
   * @param owner the internal name of the class, with slashes
   * @param methodName the name of the method, {@code <init>} for constructors
   * @param descriptor its descriptor
   */
  public boolean matches(String owner, String methodName, String descriptor) {
    return matchesType(owner)
        && (method == null || method.equals(methodName))
        && (parameters == null || descriptor.startsWith(parameters));
  }

  /** Whether the pattern, regardless of its method, matches a class. */
  public boolean matchesType(String owner) {
    return switch (form) {
      case PACKAGE_TREE -> owner.startsWith(name);
      case PACKAGE -> owner.startsWith(name) && owner.indexOf('/', name.length()) < 0;
      default -> owner.equals(name);
    };
  }

  /** Whether the pattern, regardless of its method, matches the class of an argument. */
  public boolean matchesArgument(String descriptor) {
    for (Type type : Type.getArgumentTypes(descriptor)) {
      if (type.getSort() == Type.OBJECT && matchesType(type.getInternalName())) {
        return true;
      }
    }
    return false;
  }

  /** Compares by what is more specific: negative if the other pattern is. */
  int compareSpecificity(MemberPattern other) {
    int byForm = form.compareTo(other.form);
    return byForm != 0 ? byForm : Integer.compare(name.length(), other.name.length());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MemberPattern pattern
        && form == pattern.form
        && name.equals(pattern.name)
        && Objects.equals(method, pattern.method)
        && Objects.equals(parameters, pattern.parameters);
  }

  @Override
  public int hashCode() {
    return Objects.hash(form, name, method, parameters);
  }

  /** Returns the pattern as it was written, or as it is written in sources. */
  @Override
  public String toString() {
    return text;
  }
}
