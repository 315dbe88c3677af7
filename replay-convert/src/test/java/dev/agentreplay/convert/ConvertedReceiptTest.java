package dev.agentreplay.convert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.io.log.ReaderOptions;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.testkit.TestSessions;
import dev.agentreplay.verify.SessionVerifier;
import dev.agentreplay.verify.Verdict;
import dev.agentreplay.verify.VerificationReport;
import dev.agentreplay.verify.VerificationReport.Counter;
import dev.agentreplay.verify.VerifyPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A receipt is made of a conversion if the source verifies, and verifies then. */
class ConvertedReceiptTest {

  private static final ConvertOptions WITH_RECEIPT = ConvertOptions.defaults().withReceipt(true);

  @TempDir
  private Path directory;

  private Path source;

  @BeforeEach
  void copy() throws IOException {
    source = Files.createDirectory(directory.resolve("source"));
    for (Path file : files(TestSessions.bundledWith("replay-io", "sessions/task-10_trial-2"))) {
      Files.copy(file, source.resolve(file.getFileName()));
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private void edit(String file, String from, String to) throws IOException {
    String text = Files.readString(source.resolve(file), UTF_8);
    assertThat(text).contains(from);
    Files.writeString(source.resolve(file), text.replace(from, to), UTF_8);
  }

  private ConversionReport convert(SessionFormat to) throws IOException {
    return SessionConverter.convertInto(
        directory.resolve("out"), Session.open(source), to, WITH_RECEIPT);
  }

  static Stream<Arguments> originSessions() {
    return TestSessions.directories(TestSessions.bundledWith("replay-verify", "origin")).stream()
        .flatMap(set -> Stream.concat(
            Stream.of(set).filter(path -> Files.exists(path.resolve(Session.LOG_NAME))),
            TestSessions.directories(set).stream()))
        .filter(path -> !path.endsWith("tool_without_params_as_their_vignette")
            && !path.endsWith("adjutant-serde-1.0.144"))
        .flatMap(path ->
            Stream.of(SessionFormat.EVENT, SessionFormat.TYPE).map(to -> Arguments.of(path, to)));
  }

  @ParameterizedTest
  @MethodSource("originSessions")
  void session_of_the_origin_is_converted_and_its_new_receipt_verifies(
      Path session, SessionFormat to) throws IOException {
    Path out = directory.resolve("out");

    ConversionReport conversion =
        SessionConverter.convertInto(out, Session.open(session), to, WITH_RECEIPT);

    assertThat(conversion.receipt()).as("%s", conversion.ledger()).isNotNull();
    VerificationReport report =
        SessionVerifier.of(VerifyPolicy.defaults()).verify(Session.open(out));
    assertThat(report.verdict()).as("%s", report.findings()).isEqualTo(Verdict.VALID);
    assertThat(report.count(Counter.LOG_DIGESTS_VERIFIED)
            + report.count(Counter.EVENT_DIGESTS_VERIFIED))
        .isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = SessionFormat.class,
      names = {"EVENT", "TYPE", "DRAFT"})
  void no_receipt_is_made_of_a_log_that_does_not_fit_its_own(SessionFormat to) throws IOException {
    edit(Session.LOG_NAME, "\"sha256:c984", "\"sha256:0984");

    ConversionReport report = convert(to);

    assertThat(report.sourceIsInvalid()).isTrue();
    assertThat(report.receipt()).isNull();
    assertThat(report.out()).exists();
    assertThat(directory.resolve("out/RECEIPT.json")).doesNotExist();
  }

  @Test
  void no_receipt_is_made_of_a_log_with_the_receipt_of_another_session() throws IOException {
    edit(Session.RECEIPT_NAME, "\"sha256:c984", "\"sha256:0984");

    assertThat(convert(SessionFormat.TYPE).receipt()).isNull();
  }

  @Test
  void no_receipt_is_made_of_a_log_without_one_that_contradicts_itself() throws IOException {
    Files.delete(source.resolve(Session.RECEIPT_NAME));
    edit(Session.LOG_NAME, "\"sha256:c984", "\"sha256:0984");

    assertThat(convert(SessionFormat.TYPE).receipt()).isNull();
  }

  @Test
  void bundle_of_a_session_that_does_not_verify_says_so() throws IOException {
    edit(Session.LOG_NAME, "\"sha256:c984", "\"sha256:0984");

    assertThat(convert(SessionFormat.BUNDLE).sourceIsInvalid()).isTrue();
  }

  @Test
  void line_that_is_longer_than_usual_is_copied_when_the_limit_is_raised() throws IOException {
    Path log = source.resolve(Session.LOG_NAME);
    String last = "{\"event\":\"Note\",\"x\":\"" + "x".repeat(17 << 20) + "\"}\n";
    Files.writeString(log, Files.readString(log, UTF_8) + last, UTF_8);
    Files.delete(source.resolve(Session.RECEIPT_NAME));
    Session session = Session.open(source);
    Path out = directory.resolve("out");

    assertThatThrownBy(() -> SessionConverter.convertInto(
            out, session, SessionFormat.EVENT, ConvertOptions.defaults()))
        .isInstanceOf(ReplayFormatException.class);
    assertThat(out).doesNotExist();

    ReaderOptions raised = ReaderOptions.defaults().withMaxLineBytes(20 << 20);
    SessionConverter.convertInto(
        out, session.withReaderOptions(raised), SessionFormat.EVENT, ConvertOptions.defaults());
    assertThat(out.resolve(Session.LOG_NAME)).hasSameBinaryContentAs(log);
  }

  @ParameterizedTest
  @EnumSource(
      value = SessionFormat.class,
      names = {"EVENT", "TYPE"})
  void log_that_changes_between_verification_and_conversion_is_refused(SessionFormat to)
      throws IOException {
    Path log = source.resolve(Session.LOG_NAME);
    // more than the reader, which is open before the log is verified, has read by then
    String line = "{\"event\":\"Note\",\"x\":\"" + "x".repeat(1 << 20) + "\"}\n";
    edit(Session.LOG_NAME, "{\"confidence\"", line.repeat(3) + "{\"confidence\"");
    Files.delete(source.resolve(Session.RECEIPT_NAME));
    SessionVerifier verifier = SessionVerifier.of(VerifyPolicy.defaults());
    Path out = directory.resolve("out");

    assertThatThrownBy(() -> SessionConverter.convert(
            Session.open(source), out.resolve("x"), out, to, WITH_RECEIPT, session -> {
              VerificationReport report = verifier.verify(session);
              edit(Session.LOG_NAME, "x\"}", "y\"}");
              return report;
            }))
        .isInstanceOf(IOException.class)
        .hasMessage(log + ": changed while it was converted");
    assertThat(out).doesNotExist();
  }

  @Test
  void receipt_is_made_of_a_log_that_verifies() throws IOException {
    ConversionReport report = convert(SessionFormat.TYPE);

    assertThat(report.sourceIsInvalid()).isFalse();
    assertThat(report.receipt()).exists();
  }
}
