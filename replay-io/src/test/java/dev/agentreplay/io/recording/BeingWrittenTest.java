package dev.agentreplay.io.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.file.LocalDisk;
import dev.agentreplay.io.file.LogLockedException;
import dev.agentreplay.io.log.TestLogs;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.json.JsonObject;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Any process can detect that a log is being written, without affecting its writer. */
@SuppressWarnings("try") // a writer is held, not used
class BeingWrittenTest {

  private static final int ROUNDS = 300;
  private static final WriterOptions OPTIONS = WriterOptions.defaults();

  @TempDir
  Path directory;

  @Test
  void log_is_being_written_while_its_writer_is_open() throws IOException {
    try (SessionRecorder recorder = SessionRecorder.start(directory, "s")) {
      assertThat(session().isBeingWritten()).isTrue();
      recorder.call("read", JsonObject.of("a", 1)).result("text");
      assertThat(session().isBeingWritten()).isTrue();
      assertThat(new Session(directory.resolve("other.jsonl"), null).isBeingWritten())
          .isFalse();
    }
    assertThat(session().isBeingWritten()).isFalse();
  }

  @Test
  void asking_in_the_process_of_the_writer_does_not_end_its_lock() throws Exception {
    try (SessionRecorder recorder = SessionRecorder.start(directory, "s");
        URLClassLoader copy = copyOfThisLibrary()) {
      for (int i = 0; i < 3; i++) {
        assertThat(session().isBeingWritten()).isTrue();
        assertThat(isBeingWritten(copy)).isTrue();
      }
      assertThat(child("write")).isEqualTo("locked");
      recorder.call("read", JsonObject.of("a", 1)).result("text");
    }
    assertThat(session().isBeingWritten()).isFalse();
    try (URLClassLoader copy = copyOfThisLibrary()) {
      assertThat(isBeingWritten(copy)).isFalse();
    }
    assertThat(child("write")).isEqualTo("written");
  }

  @Test
  void writer_that_closes_and_comes_back_between_two_questions_is_found() throws Exception {
    try (URLClassLoader copy = copyOfThisLibrary()) {
      for (int i = 0; i < 3; i++) {
        Path log = directory.resolve("REPLAY.jsonl");
        try (ReplayWriter writer = i == 0
            ? ReplayWriter.create(log, ReplayHeader.of("p"), OPTIONS)
            : ReplayWriter.append(log, OPTIONS)) {
          assertThat(isBeingWritten(copy)).isTrue();
        }
      }
      assertThat(isBeingWritten(copy)).isFalse();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void writers_of_another_class_loader_are_refused_end_no_lock_and_leak_nothing() throws Exception {
    try (SessionRecorder recorder = SessionRecorder.start(directory, "s");
        URLClassLoader copy = copyOfThisLibrary()) {
      assertThat(written(copy)).isFalse();
      int before = openFiles();
      for (int i = 0; i < 20; i++) {
        assertThat(written(copy)).isFalse();
      }
      assertThat(openFiles()).isLessThan(before + 10);
      assertThat(child("write")).isEqualTo("locked");
      recorder.call("read", JsonObject.of("a", 1)).result("text");
    }
    assertThat(child("write")).isEqualTo("written");
  }

  @Test
  void locks_of_a_thread_that_is_interrupted_are_held_and_given_up() throws Exception {
    Path log = directory.resolve("REPLAY.jsonl");
    Files.writeString(log, TestLogs.firstLine());
    FutureTask<?> locking = new FutureTask<>(() -> {
      for (int i = 0; i < ROUNDS; i++) {
        try (Closeable lock = LocalDisk.INSTANCE.lock(log)) {
          assertThat(session().isBeingWritten()).isTrue();
        }
        assertThat(session().isBeingWritten()).isFalse();
      }
      return null;
    });
    Thread thread = new Thread(locking);
    thread.start();
    while (!locking.isDone()) {
      thread.interrupt();
      // in the middle of an attempt, and after a whole one, however slow it is
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(20_000, 2_000_000));
    }
    locking.get();
    assertThat(directory.resolve("REPLAY.jsonl.lock")).doesNotExist();
    assertThat(child("write")).isEqualTo("written");
  }

  @Test
  void writer_of_another_process_is_found_and_one_that_was_killed_is_none() throws IOException {
    Files.writeString(directory.resolve("REPLAY.jsonl"), TestLogs.firstLine());
    try (ChildJvm writer = ChildJvm.start(Child.class, "hold", directory)) {
      assertThat(writer.readLine()).isEqualTo("held");
      assertThat(session().isBeingWritten()).isTrue();
      assertThatThrownBy(() -> ReplayWriter.append(directory.resolve("REPLAY.jsonl"), OPTIONS))
          .isInstanceOf(LogLockedException.class);
      assertThat(session().isBeingWritten()).isTrue();
    }
    assertThat(directory.resolve("REPLAY.jsonl.lock")).exists();
    assertThat(session().isBeingWritten()).isFalse();
  }

  @Test
  void writers_are_not_kept_from_a_log_that_is_asked_about_all_the_time() throws IOException {
    Files.writeString(directory.resolve("REPLAY.jsonl"), TestLogs.firstLine());
    try (ChildJvm asking = ChildJvm.start(Child.class, "ask", directory)) {
      assertThat(asking.readLine()).isEqualTo("asking");
      List<LogLockedException> refused = new ArrayList<>();
      for (int i = 0; i < ROUNDS; i++) {
        try (ReplayWriter writer =
            ReplayWriter.append(directory.resolve("REPLAY.jsonl"), OPTIONS)) {
          assertThat(session().isBeingWritten()).isTrue();
        } catch (LogLockedException e) {
          refused.add(e);
        }
      }
      assertThat(refused).isEmpty();
    }
  }

  @Test
  void lock_that_is_a_link_or_a_directory_is_none() throws IOException {
    Files.writeString(directory.resolve("REPLAY.jsonl"), TestLogs.firstLine());
    Path lock = directory.resolve("REPLAY.jsonl.lock");
    Files.createSymbolicLink(lock, directory.resolve("REPLAY.jsonl"));
    assertThat(session().isBeingWritten()).isFalse();
    Files.delete(lock);
    Files.createDirectory(lock);
    assertThat(session().isBeingWritten()).isFalse();
  }

  @Test
  void lock_file_of_another_writer_is_left_to_it() throws IOException {
    Path log = directory.resolve("REPLAY.jsonl");
    Files.writeString(log, TestLogs.firstLine());
    Path lock = directory.resolve("REPLAY.jsonl.lock");
    try (ReplayWriter writer = ReplayWriter.append(log, OPTIONS)) {
      Files.delete(lock);
    }
    try (ReplayWriter writer = ReplayWriter.append(log, OPTIONS)) {
      Files.delete(lock);
      Files.writeString(lock, "of another writer");
    }
    assertThat(lock).hasContent("of another writer");
  }

  private Session session() {
    return new Session(directory.resolve("REPLAY.jsonl"), null);
  }

  private String child(String what) throws IOException {
    try (ChildJvm child = ChildJvm.start(Child.class, what, directory)) {
      return child.readLine();
    }
  }

  /** The library once more in this process, as in a container of applications. */
  private static URLClassLoader copyOfThisLibrary() throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(Path.of(path).toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  private boolean isBeingWritten(ClassLoader loader) throws Exception {
    return call(loader, Asking.class);
  }

  private boolean written(ClassLoader loader) throws Exception {
    return call(loader, Writing.class);
  }

  private boolean call(ClassLoader loader, Class<? extends Callable<Boolean>> type)
      throws Exception {
    Callable<?> callable = (Callable<?>) loader
        .loadClass(type.getName())
        .getDeclaredConstructor(Path.class)
        .newInstance(directory.resolve("REPLAY.jsonl"));
    return (Boolean) callable.call();
  }

  private static int openFiles() {
    return new File("/proc/self/fd").list().length;
  }

  /** Asks, by the classes of the loader that loaded it. */
  public static final class Asking implements Callable<Boolean> {
    private final Path log;

    public Asking(Path log) {
      this.log = log;
    }

    @Override
    public Boolean call() {
      return new Session(log, null).isBeingWritten();
    }
  }

  /** Tries to write, by the classes of the loader that loaded it. */
  public static final class Writing implements Callable<Boolean> {
    private final Path log;

    public Writing(Path log) {
      this.log = log;
    }

    @Override
    public Boolean call() throws IOException {
      try (ReplayWriter writer = ReplayWriter.append(log, OPTIONS)) {
        return true;
      } catch (LogLockedException e) {
        return false;
      }
    }
  }

  /** A process that holds a log, tries to write it, or asks about it until it is killed. */
  static final class Child {
    public static void main(String[] arguments) throws IOException {
      Path log = Path.of(arguments[1]).resolve("REPLAY.jsonl");
      switch (arguments[0]) {
        case "hold" -> {
          try (ReplayWriter writer = ReplayWriter.append(log, OPTIONS)) {
            System.out.println("held");
            ChildJvm.awaitParent();
          }
        }
        case "write" -> {
          try (ReplayWriter writer = ReplayWriter.append(log, OPTIONS)) {
            System.out.println("written");
          } catch (LogLockedException e) {
            System.out.println("locked");
          }
        }
        default -> {
          ChildJvm.dieWithParent();
          System.out.println("asking");
          while (true) {
            new Session(log, null).isBeingWritten();
          }
        }
      }
    }
  }
}
