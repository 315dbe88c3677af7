package dev.agentreplay.lint.code;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** A directory or jar with class files. */
interface ClassPlace extends Closeable {

  /** The size above which a class file is refused; the format allows about 10 MB of constants. */
  int MOST_BYTES = 16 << 20;

  /** The name of the class file of a module, which is not a class. */
  String MODULE = "module-info.class";

  /** The path of the directory or jar, as it was given. */
  String name();

  /** Returns the names of the class files, sorted. */
  List<String> classFiles() throws IOException;

  /** Returns the names of the jars in the directory or jar, sorted, which are not opened. */
  List<String> nestedJars() throws IOException;

  /** Whether classes are loaded from one of these jars; else it is a resource. */
  boolean isLoaded(String nestedJar);

  /** The step that has one of these jars scanned, for people. */
  String remedy();

  /** Whether there is a class file of a name, which may be any text. */
  boolean has(String file) throws IOException;

  /** Returns the content of a class file. */
  byte[] read(String file) throws IOException;

  /** Returns the name of a class file for messages. */
  String describe(String file);

  static IOException tooLarge() {
    return new IOException("larger than %,d bytes, which no class file is".formatted(MOST_BYTES));
  }
}
