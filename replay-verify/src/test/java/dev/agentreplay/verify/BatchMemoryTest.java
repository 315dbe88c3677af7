package dev.agentreplay.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.io.session.SessionLocation;
import dev.agentreplay.model.signature.SignatureVerifier;
import dev.agentreplay.verify.batch.BatchResult;
import dev.agentreplay.verify.batch.BatchVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A session that takes more memory than there is is one session's result, and ends no batch. */
class BatchMemoryTest {

  private static final int SIGNED_LINE = 4;
  private static final String SIGNATURE =
      "ed25519:" + "06".repeat(32) + ":" + "A".repeat(86) + "==";

  @TempDir
  Path directory;

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void session_that_takes_too_much_is_its_own_result(int threads) throws IOException {
    SessionLocation sound = SessionLocation.of(sound());
    SessionLocation large = SessionLocation.of(large());
    AtomicInteger tries = new AtomicInteger();
    SignatureVerifier keys = (signature, message) -> {
      tries.incrementAndGet();
      throw new OutOfMemoryError("Java heap space");
    };

    List<BatchResult> results = verify(threads, keys, List.of(sound, large, sound));

    assertThat(results)
        .extracting(BatchResult::verdict)
        .containsExactly(Verdict.VALID, Verdict.UNREADABLE, Verdict.VALID);
    BatchResult.Failed failed = (BatchResult.Failed) results.get(1);
    assertThat(failed.isSkipped()).isFalse();
    assertThat(failed.failure())
        .isInstanceOf(NotEnoughMemoryException.class)
        .hasCauseInstanceOf(OutOfMemoryError.class)
        .hasMessageStartingWith(large.path().resolve("REPLAY.jsonl") + ": line 4, byte ")
        .hasMessageContaining("more memory than the heap (java -Xmx) has, which is of ");
    assertThat(tries).hasValue(threads == 1 ? 1 : 2);
  }

  @Test
  void session_that_others_left_no_memory_is_verified_once_more() throws IOException {
    AtomicInteger tries = new AtomicInteger();
    SignatureVerifier keys = (signature, message) -> {
      if (tries.getAndIncrement() == 0) {
        throw new OutOfMemoryError("Java heap space");
      }
      return SignatureVerifier.Outcome.UNKNOWN_KEY;
    };

    List<BatchResult> results = verify(2, keys, List.of(SessionLocation.of(large())));

    assertThat(tries).hasValue(2);
    assertThat(results).singleElement().isInstanceOf(BatchResult.Verified.class);
  }

  @Test
  void failure_names_the_line_and_its_length() throws IOException {
    Path large = large();
    int length =
        Files.readAllLines(large.resolve("REPLAY.jsonl")).get(SIGNED_LINE - 1).length();
    SessionVerifier verifier =
        SessionVerifier.of(VerifyPolicy.defaults().withKeys((signature, message) -> {
          throw new StackOverflowError();
        }));
    assertThatThrownBy(() -> verifier.verify(Session.open(large)))
        .isInstanceOf(NotEnoughMemoryException.class)
        .hasMessage(
            "%s: line 4, byte %d: the line, of %d bytes, takes more memory than the stack of a"
                + " thread (java -Xss) has",
            large.resolve("REPLAY.jsonl"), TestLog.small().offset(SIGNED_LINE), length);
  }

  private Path sound() throws IOException {
    Path session = Files.createDirectory(directory.resolve("sound"));
    TestLog.small().write(session, null);
    return session;
  }

  /** A session that asks for a key in the middle of its log. */
  private Path large() throws IOException {
    Path session = Files.createDirectory(directory.resolve("large"));
    String checkpoint = TestLog.checkpoint(TestLog.small().tree(SIGNED_LINE - 1))
        .replace("\"tree_root\"", "\"signature\":\"" + SIGNATURE + "\",\"tree_root\"");
    TestLog.small().insert(SIGNED_LINE, checkpoint).write(session, null);
    return session;
  }

  private static List<BatchResult> verify(
      int threads, SignatureVerifier keys, List<SessionLocation> places) {
    BatchVerifier verifier =
        BatchVerifier.of(VerifyPolicy.defaults().withKeys(keys)).withThreads(threads);
    try (Stream<BatchResult> results = verifier.verify(places)) {
      return results.toList();
    }
  }
}
