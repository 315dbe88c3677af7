package dev.agentreplay.springai.boot;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes with the JUnit that Spring 7 needs, in a class loader of its own: the tests of
 * this module run with an older one.
 */
final class JUnitOfSpring implements AutoCloseable {

  private final URLClassLoader loader;

  private JUnitOfSpring(URLClassLoader loader) {
    this.loader = loader;
  }

  static JUnitOfSpring open() throws IOException {
    List<URL> urls = new ArrayList<>();
    try (Stream<Path> jars = Files.list(Path.of(System.getProperty("replay.test.junit")))) {
      for (Path jar : jars.toList()) {
        urls.add(jar.toUri().toURL());
      }
    }
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      String name = Path.of(entry).getFileName().toString();
      if (!name.startsWith("junit-") && !name.startsWith("jqwik")) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    return new JUnitOfSpring(
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader()));
  }

  /**
   * Runs the tests of a class, and returns their failures.
   *
   * @param parameters configuration parameters
   */
  List<String> run(Class<?> test, Map<String, String> parameters) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      Method run = loader
          .loadClass(JUnitOfSpring.class.getName())
          .getDeclaredMethod("runHere", String.class, Map.class);
      run.setAccessible(true);
      @SuppressWarnings("unchecked") // its return type
      List<String> failures = (List<String>) run.invoke(null, test.getName(), parameters);
      return failures;
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @SuppressWarnings("unused") // called in the other class loader
  private static List<String> runHere(String test, Map<String, String> parameters) {
    LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
        .selectors(DiscoverySelectors.selectClass(test))
        .configurationParameters(parameters)
        .build();
    List<String> failures = new ArrayList<>();
    int[] succeeded = {0};
    LauncherFactory.create().execute(request, new TestExecutionListener() {
      @Override
      public void executionFinished(TestIdentifier id, TestExecutionResult result) {
        if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
          failures.add(result.getThrowable().map(JUnitOfSpring::text).orElse("aborted"));
        } else if (id.isTest()) {
          succeeded[0]++;
        }
      }
    });
    if (failures.isEmpty() && succeeded[0] == 0) {
      failures.add("no test ran");
    }
    return failures;
  }

  private static String text(Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (Throwable each = failure; each != null; each = each.getCause()) {
      text.append(each).append('\n');
    }
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
