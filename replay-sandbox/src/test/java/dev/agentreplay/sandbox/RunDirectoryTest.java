package dev.agentreplay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentreplay.sandbox.internal.Owner;
import dev.agentreplay.testkit.JavaTempDir;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {

  @TempDir
  private Path directory;

  @RegisterExtension
  private final JavaTempDir tmp = new JavaTempDir();

  @Test
  void the_status_can_be_read_before_bwrap_has_started() throws Exception {
    RunDirectory run = RunDirectory.create();
    try {
      assertThat(run.status()).isEmptyFile();
    } finally {
      run.remove();
    }
  }

  @Test
  void abandoned_directories_are_removed_but_not_what_links_lead_to() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/stat")));
    String namespace = Owner.namePrefix().split("-")[2];
    String name = "replay-sandbox-" + namespace + "-99999999-5-" + System.nanoTime();
    Path file = Files.createFile(directory.resolve("file"));
    Path abandoned = Files.createDirectory(tmp.path().resolve(name));
    Files.createDirectory(abandoned.resolve("directory"));
    Files.createSymbolicLink(abandoned.resolve("in"), directory);
    Path link = Files.createSymbolicLink(tmp.path().resolve(name + "-link"), directory);
    try {
      RunDirectory.removeAbandoned();

      assertThat(abandoned).doesNotExist();
      assertThat(link).isSymbolicLink();
      assertThat(file).exists();
    } finally {
      Files.delete(link);
    }
  }

  @Test
  void directories_are_removed_by_several_processes_at_once() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/stat")));
    String namespace = Owner.namePrefix().split("-")[2];
    List<Path> abandoned = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      String name = "replay-sandbox-%s-99999999-5-%d-%d".formatted(namespace, System.nanoTime(), i);
      abandoned.add(Files.createDirectory(tmp.path().resolve(name)));
      Files.createFile(abandoned.get(i).resolve("session"));
    }
    Callable<@Nullable Void> removal = () -> {
      RunDirectory.removeAbandoned();
      return null;
    };
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (Future<@Nullable Void> done : threads.invokeAll(Collections.nCopies(4, removal))) {
        done.get();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(abandoned).noneMatch(Files::exists);
  }
}
