package dev.agentreplay.lint.pattern;

import java.util.Map;
import java.util.regex.Pattern;

/** The names in patterns, from the spelling of sources to that of class files. */
final class PatternNames {

  private static final Map<String, String> PRIMITIVES = Map.of(
      "boolean", "Z", "byte", "B", "char", "C", "short", "S", "int", "I", "long", "J", "float", "F",
      "double", "D");

  private static final Pattern NESTED = Pattern.compile("\\$(?=\\p{Lu})");

  private PatternNames() {}

  /** Returns the internal name of a class, such as {@code java/util/Map$Entry}. */
  static String className(String name) {
    StringBuilder out = new StringBuilder();
    boolean inClass = false;
    for (String part : name.split("\\.", -1)) {
      if (!isIdentifier(part)) {
        throw new IllegalArgumentException(
            part.isEmpty() ? "a name is empty in " + name : "not a name: " + part);
      }
      out.append(out.isEmpty() ? "" : inClass ? "$" : "/").append(part);
      inClass |= isClass(part);
    }
    if (!inClass && name.indexOf('.') < 0) {
      throw new IllegalArgumentException("expected a class with its package, found " + name);
    }
    return out.toString();
  }

  /**
   * Returns the name of a class as in sources; local classes, which sources cannot name, keep $.
   */
  static String source(String internalName) {
    return NESTED.matcher(internalName.replace('/', '.')).replaceAll(".");
  }

  static String method(String name, String className) {
    if (name.equals("new")) {
      throw new IllegalArgumentException("a constructor is %s.<init>, found %s"
          .formatted(className.replace('/', '.').replace('$', '.'), name));
    }
    if (!isIdentifier(name) && !name.equals("<init>") && !name.equals("<clinit>")) {
      throw new IllegalArgumentException("expected the name of a method, found " + name);
    }
    return name;
  }

  static void requirePackage(String prefix, String pattern) {
    if (prefix.isEmpty()) {
      return;
    }
    for (String part : prefix.substring(0, prefix.length() - 1).split("\\.", -1)) {
      if (!isIdentifier(part)) {
        throw new IllegalArgumentException("expected a package before *, found " + pattern);
      }
    }
  }

  static boolean hasClass(String name) {
    for (String part : name.split("\\.", -1)) {
      if (isClass(part)) {
        return true;
      }
    }
    return false;
  }

  /** The end of the last part that is the name of a class. */
  static int endOfClass(String name) {
    int end = -1;
    int start = 0;
    while (start <= name.length()) {
      int dot = name.indexOf('.', start);
      int next = dot < 0 ? name.length() : dot;
      if (isClass(name.substring(start, next))) {
        end = next;
      }
      start = next + 1;
    }
    if (end < 0) {
      throw new IllegalArgumentException(
          ("expected a class, whose name begins with an upper-case letter, or a package with .*"
                  + " or .**, found %s")
              .formatted(name));
    }
    return end;
  }

  private static boolean isClass(String part) {
    return !part.isEmpty() && Character.isUpperCase(part.charAt(0));
  }

  private static boolean isIdentifier(String part) {
    return !part.isEmpty()
        && Character.isJavaIdentifierStart(part.charAt(0))
        && part.chars().allMatch(Character::isJavaIdentifierPart);
  }

  /** Returns the descriptor of parameters, such as {@code (JLjava/lang/String;)}. */
  static String parameters(String list) {
    StringBuilder out = new StringBuilder("(");
    if (!list.isEmpty()) {
      for (String type : list.split(",", -1)) {
        out.append(descriptor(type.strip()));
      }
    }
    return out.append(')').toString();
  }

  private static String descriptor(String type) {
    if (type.endsWith("...")) {
      return "[" + descriptor(type.substring(0, type.length() - 3));
    }
    if (type.endsWith("[]")) {
      return "[" + descriptor(type.substring(0, type.length() - 2));
    }
    String primitive = PRIMITIVES.get(type);
    if (primitive != null) {
      return primitive;
    }
    if (type.indexOf('.') < 0) {
      throw new IllegalArgumentException(
          "expected a primitive type, or a class with its package, found \"%s\"".formatted(type));
    }
    return "L" + className(type) + ";";
  }
}
