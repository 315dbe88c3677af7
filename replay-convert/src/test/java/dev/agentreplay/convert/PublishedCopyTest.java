package dev.agentreplay.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.convert.pack.TestPacks;
import dev.agentreplay.io.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A published copy is copied and packed as it is, and not converted. */
class PublishedCopyTest {

  private static final String COPY =
      """
      {"created_at":"2026-01-13T10:00:00Z","disclosure":"%1$s","event":"ReplayHeader","producer":"p@1","published":{"form":"replay.public/1","policy":{"id":"private_repo"},"source":"valid"},"replay_version":1}
      {"disclosure":"%1$s","event":"SessionStart","issue_number":7,"policy_version":"v1","session_id":"s1","t":"2026-01-13T10:00:01Z"}
      """
          .formatted("A".repeat(43));

  @TempDir
  Path directory;

  private Path session;

  @BeforeEach
  void write() throws IOException {
    session = Files.createDirectory(directory.resolve("copy"));
    Files.writeString(session.resolve(Session.LOG_NAME), COPY);
  }

  @ParameterizedTest
  @EnumSource(
      value = SessionFormat.class,
      names = {"TYPE", "DRAFT", "BUNDLE"})
  void copy_is_not_converted_even_if_forced(SessionFormat to) {
    for (ConvertOptions options :
        List.of(ConvertOptions.defaults(), ConvertOptions.defaults().withForce(true))) {
      assertThatThrownBy(() -> SessionConverter.convertInto(
              directory.resolve("out"), Session.open(session), to, options))
          .isInstanceOf(PublishedCopyException.class)
          .hasMessageContaining("convert the original, and publish the result");
    }
    assertThat(directory.resolve("out")).doesNotExist();
  }

  @Test
  void copy_in_the_same_dialect_is_byte_for_byte() throws IOException {
    Path out = directory.resolve("out");
    SessionConverter.convertInto(
        out, Session.open(session), SessionFormat.EVENT, ConvertOptions.defaults());

    assertThat(out.resolve(Session.LOG_NAME)).hasContent(COPY.strip());
  }

  @Test
  void log_with_a_member_of_the_same_name_is_converted() throws IOException {
    Files.writeString(
        session.resolve(Session.LOG_NAME),
        "{\"created_at\":\"2026-01-13T10:00:00Z\",\"event\":\"ReplayHeader\",\"producer\":\"p@1\","
            + "\"published\":\"2026\",\"replay_version\":1}\n");
    ConversionReport report = SessionConverter.convertInto(
        directory.resolve("out"),
        Session.open(session),
        SessionFormat.TYPE,
        ConvertOptions.defaults());

    assertThat(report.isComplete()).isTrue();
  }

  @Test
  void copy_is_packed_and_unpacked_as_it_is() throws IOException {
    Path file = directory.resolve("copy.tar.gz");
    TestPacks.pack(session, file);
    TestPacks.unpack(file, directory.resolve("unpacked"));

    assertThat(directory.resolve("unpacked").resolve(Session.LOG_NAME)).hasContent(COPY.strip());
  }
}
