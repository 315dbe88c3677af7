package dev.agentreplay.testkit;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * The Java examples of Javadoc and of documents, which are compiled with the class path of the
 * tests. Not safe for use by several threads.
 */
public final class JavaExamples {

  private static final Pattern JAVADOC =
      Pattern.compile("<pre>\\{@code\\n(.*?)\\n *\\* }</pre>", Pattern.DOTALL);

  private static final Pattern BLOCK =
      Pattern.compile("^```java\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

  /** The beginning of a block that has members of a class. */
  private static final Pattern MEMBERS =
      Pattern.compile("\\A(@|(static|public|private|class|interface|record|void) )");

  private final String imports;
  private final List<Unit> units = new ArrayList<>();
  private final StringBuilder javadoc = new StringBuilder();
  private int javadocExamples;

  private JavaExamples(String imports) {
    this.imports = imports;
  }

  /**
   * Creates a collection without examples.
   *
   * @param imports the imports that examples of Javadoc do not show, one in each line
   */
  public static JavaExamples withImports(String imports) {
    return new JavaExamples(imports);
  }

  /** Adds the Javadoc examples of a source file, or of all source files of a folder. */
  public JavaExamples javadoc(Path source) throws IOException {
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file :
          files.filter(each -> each.toString().endsWith(".java")).sorted().toList()) {
        addJavadoc(file, Files.readString(file));
      }
    }
    return this;
  }

  private void addJavadoc(Path file, String text) {
    int opened = text.split("<pre>\\{@code", -1).length - 1;
    Matcher found = JAVADOC.matcher(text);
    while (found.find()) {
      opened--;
      String body = found.group(1).replaceAll("(?m)^ *\\* ?", "");
      String form = body.startsWith("@") || body.startsWith("void ")
          ? "class Example%d {\n%s\n}\n"
          : "void example%d() throws Exception {\n%s\n}\n";
      javadoc.append(form.formatted(++javadocExamples, body));
    }
    if (opened != 0) {
      throw new AssertionError("an example of " + file + " has no end");
    }
  }

  /** Adds the Java blocks of a document that are not files, with the imports that they show. */
  public JavaExamples document(Path document) throws IOException {
    String text = Files.readString(document);
    int before = units.size();
    Matcher found = BLOCK.matcher(text);
    while (found.find()) {
      String name = "Block%d_line_%d"
          .formatted(units.size(), text.substring(0, found.start()).lines().count() + 1);
      String block = found.group(1);
      String body = withoutImports(block);
      String form = MEMBERS.matcher(body).find() ? "%s" : "void run() throws Exception {\n%s}";
      units.add(new Unit(document.getFileName() + "/" + name, unit(name, block, form)));
    }
    long opened = text.lines().filter(line -> line.strip().equals("```java")).count();
    if (units.size() - before != opened) {
      throw new AssertionError("a Java block of " + document + " is not at the margin");
    }
    return this;
  }

  /** The number of examples. */
  public int size() {
    return javadocExamples + units.size();
  }

  /**
   * The source of a class with a block, with the imports of the block and those that JShell has.
   *
   * @param form the members of the class, with {@code %s} for the block
   */
  public static String unit(String name, String block, String form) {
    String body = withoutImports(block);
    return "import java.io.*; import java.nio.file.*; import java.util.*;\n"
        + block.substring(0, block.length() - body.length())
        + "public class %s {\n".formatted(name)
        + form.formatted(body)
        + "}\n";
  }

  private static String withoutImports(String block) {
    return block.replaceFirst("\\A((import [^\\n]*)?\\n)*+(?=\\S)", "");
  }

  /**
   * Compiles the examples.
   *
   * @param directory a directory for the classes
   * @param given the members that examples of Javadoc use without declaring them
   * @throws AssertionError if they cannot be compiled
   */
  public void compile(Path directory, String given) {
    List<Unit> sources = new ArrayList<>(units);
    if (javadocExamples > 0) {
      sources.add(
          new Unit("Examples", imports + "public class Examples {\n" + given + javadoc + "}"));
    }
    if (sources.isEmpty()) {
      throw new AssertionError("there is no example");
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of("-d", directory.toString(), "-cp", System.getProperty("java.class.path"));
    if (!compiler.getTask(messages, null, null, options, null, sources).call()) {
      throw new AssertionError(messages.toString());
    }
  }

  private static final class Unit extends SimpleJavaFileObject {

    private final String text;

    /**
     * Creates a source unit.
     *
     * @param path the place that messages of the compiler name; ends with the name of the class
     */
    Unit(String path, String text) {
      super(URI.create("string:///" + path + ".java"), JavaFileObject.Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
