package dev.agentreplay.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.lint.code.PathList;
import dev.agentreplay.lint.pattern.LintPatterns;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.service.AiServices;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Scans of much code that others wrote; they print the figures of docs/performance.md. */
class LargeScansTest {

  private static final Path BASE =
      FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");

  @Test
  @Tag("slow")
  void base_module_of_the_jdk_is_scanned() throws IOException {
    LintPatterns descending = LintPatterns.defaults().plus("test", "descend **");
    DeterminismReport report = measure(
        "java.base",
        DeterminismScan.of(BASE)
            .withPatterns(descending)
            .withEntries("java.util.*", "java.util.concurrent.*", "java.time.*"));

    assertThat(report.problems()).isEmpty();
    assertThat(report.classes()).isGreaterThan(5_000);
    assertThat(report.findings()).isNotEmpty();
  }

  @Test
  void jars_of_langchain4j_are_scanned() throws IOException {
    DeterminismReport report = measure(
        "langchain4j",
        DeterminismScan.of(
                LoadedClasses.place(AiServices.class), LoadedClasses.place(ChatModel.class))
            .withClassPath(PathList.ofJvm())
            .withEntries("dev.langchain4j.**"));

    assertThat(report.problems()).isEmpty();
    assertThat(report.classes()).isGreaterThan(300);
    assertThat(report.findings()).isNotEmpty();
  }

  private static DeterminismReport measure(String name, DeterminismScan scan) throws IOException {
    long start = System.nanoTime();
    DeterminismReport report = scan.check();
    long millis = (System.nanoTime() - start) / 1_000_000;
    Runtime runtime = Runtime.getRuntime();
    System.out.printf(
        "%s: %d classes, %d methods, %d reached, %d findings, %d ms, %d MB in use%n",
        name,
        report.classes(),
        report.methods(),
        report.reachedMethods(),
        report.findings().size(),
        millis,
        (runtime.totalMemory() - runtime.freeMemory()) >> 20);
    return report;
  }
}
