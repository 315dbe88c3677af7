package dev.agentreplay.cli;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Compiles a Maven project's sources and runs its tests, in the place of {@code mvn} where a
 * document is followed without Maven: properties are taken, goals and other options are not.
 */
final class TestRunner {

  private TestRunner() {}

  public static void main(String[] args) throws Exception {
    for (String argument : args) {
      if (argument.startsWith("-D")) {
        String[] property = argument.substring(2).split("=", 2);
        System.setProperty(property[0], property.length == 1 ? "true" : property[1]);
      }
    }
    Path classes = Files.createDirectories(Path.of("target/test-classes"));
    List<String> javac = new ArrayList<>(List.of("-d", classes.toString()));
    if (Files.readString(Path.of("pom.xml"))
        .contains("<maven.compiler.parameters>true</maven.compiler.parameters>")) {
      javac.add("-parameters");
    }
    for (String folder : List.of("src/main/java", "src/test/java")) {
      try (Stream<Path> files = Files.walk(Path.of(folder))) {
        files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(javac::add);
      }
    }
    int code =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, javac.toArray(String[]::new));
    if (code == 0) {
      URL[] urls = {classes.toUri().toURL()};
      try (URLClassLoader loader = new URLClassLoader(urls)) {
        Thread.currentThread().setContextClassLoader(loader);
        code = runTests(classes);
      }
    }
    System.exit(code);
  }

  private static int runTests(Path classes) {
    LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
        .selectors(selectClasspathRoots(Set.of(classes.toAbsolutePath())))
        .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    listener
        .getSummary()
        .getFailures()
        .forEach(failure ->
            System.out.println("[ERROR] " + failure.getTestIdentifier().getDisplayName() + "\n"
                + failure.getException().getMessage()));
    return listener.getSummary().getFailures().isEmpty() ? 0 : 1;
  }
}
