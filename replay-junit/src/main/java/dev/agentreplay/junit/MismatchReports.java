package dev.agentreplay.junit;

import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.replay.ReplayReport;
import dev.agentreplay.engine.report.HtmlViewer;
import dev.agentreplay.engine.report.SideNames;
import dev.agentreplay.engine.report.ViewerOptions;
import dev.agentreplay.io.session.Session;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.error.MultipleAssertionsError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.function.ThrowingConsumer;
import org.junit.platform.commons.JUnitException;
import org.opentest4j.MultipleFailuresError;

/** Publishes HTML pages of the session of a test that failed. */
final class MismatchReports {

  private static final Pattern PAGE = Pattern.compile("session\\.html|report(-[0-9]+)?\\.html");

  /** The names of the sides in the failure messages. */
  private static final ViewerOptions COMPARED = sides("recorded", "actual");

  private static final ViewerOptions REPLAYED = sides("recorded", "replay");

  private MismatchReports() {}

  private static ViewerOptions sides(String left, String right) {
    return ViewerOptions.defaults().withSides(new SideNames(left, right));
  }

  /**
   * Publishes a page for each mismatch in a failure, or a page of the session if there is none.
   *
   * @param session the session that the test recorded; null if it recorded none
   */
  static void publish(Throwable failure, @Nullable Session session, ExtensionContext context) {
    List<SessionMismatchError> mismatches = mismatches(failure);
    if (mismatches.isEmpty() && session == null) {
      return;
    }
    publish(context, directory -> {
      for (Path stale : pages(directory)) {
        Files.delete(stale);
      }
      if (mismatches.isEmpty() && session != null) {
        write(directory.resolve("session.html"), out -> HtmlViewer.render(session, out));
      }
      for (int i = 0; i < mismatches.size(); i++) {
        String name = i == 0 ? "report.html" : "report-%d.html".formatted(i + 1);
        SessionMismatchError mismatch = mismatches.get(i);
        write(directory.resolve(name), out -> render(mismatch, out));
      }
      System.out.println("replay: HTML report: " + pages(directory).get(0).toUri());
    });
  }

  /** Writes the page of a replay or, without one, of a comparison. */
  private static void render(SessionMismatchError mismatch, OutputStream out) throws IOException {
    ReplayReport report = mismatch.report();
    if (report == null) {
      HtmlViewer.render(
          named(mismatch), mismatch.recording(), mismatch.actualSession(), COMPARED, out);
    } else {
      HtmlViewer.render(report, mismatch.recording(), mismatch.actualSession(), REPLAYED, out);
    }
  }

  /** The comparison with the name of the recording for both sessions. */
  private static SessionDiff named(SessionMismatchError mismatch) {
    String name = String.valueOf(Acceptance.place(mismatch.recording()).getFileName());
    return mismatch.diff().withNames(name, name);
  }

  /**
   * Publishes a directory. Surefire gives a test the same directory in each run, but JUnit 5.12
   * rejects one that an earlier run left there.
   */
  private static void publish(ExtensionContext context, ThrowingConsumer<Path> pages) {
    for (int n = 1; ; n++) {
      try {
        context.publishDirectory(n == 1 ? "replay" : "replay-" + n, pages);
        return;
      } catch (JUnitException e) {
        if (!(e.getCause() instanceof FileAlreadyExistsException exists)
            || !Files.isDirectory(Path.of(exists.getFile()))) {
          throw e;
        }
      }
    }
  }

  /** The pages in a directory, in order. */
  private static List<Path> pages(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> PAGE.matcher(file.getFileName().toString()).matches())
          .sorted(Comparator.comparing(file -> file.toString().length()))
          .toList();
    }
  }

  /**
   * The mismatches in a failure: in itself, its causes, its suppressed and its combined failures.
   */
  static List<SessionMismatchError> mismatches(Throwable failure) {
    List<SessionMismatchError> mismatches = new ArrayList<>();
    collect(failure, mismatches, Collections.newSetFromMap(new IdentityHashMap<>()));
    return mismatches;
  }

  private static void collect(
      Throwable failure, List<SessionMismatchError> mismatches, Set<Throwable> seen) {
    if (!seen.add(failure)) {
      return;
    }
    if (failure instanceof SessionMismatchError mismatch) {
      mismatches.add(mismatch);
    }
    List<Throwable> within = new ArrayList<>();
    if (failure instanceof MultipleFailuresError several) {
      within.addAll(several.getFailures());
    } else if (failure instanceof MultipleAssertionsError several) {
      within.addAll(several.getErrors());
    }
    if (failure.getCause() != null) {
      within.add(failure.getCause());
    }
    within.addAll(List.of(failure.getSuppressed()));
    for (Throwable each : within) {
      collect(each, mismatches, seen);
    }
  }

  private static void write(Path file, ThrowingConsumer<OutputStream> page) throws Throwable {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      page.accept(out);
    }
  }
}
