package dev.agentreplay.lint.watch;

import java.io.IOException;
import java.io.InputStream;

/** Defines watched classes from the class files of its parent. */
final class WatchingLoader extends ClassLoader {

  static {
    registerAsParallelCapable();
  }

  private final ContextWatch watch;

  WatchingLoader(ContextWatch watch, ClassLoader parent) {
    super(parent);
    this.watch = watch;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!watch.isWatched(name.replace('.', '/'))) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = getParent().getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = watch.rewrite(in.readAllBytes());
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
