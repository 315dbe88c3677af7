package dev.agentreplay.engine.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.io.log.ReaderOptions;
import dev.agentreplay.io.log.ReplayFormatException;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.finding.DocumentFormatException;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.testkit.ReportSchemas;
import dev.agentreplay.verify.proof.LogProver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file of accepted divergences: its form, what is refused, and its place. */
class AcceptedDivergencesTest {

  private static final ContentHash ROOT = ContentHash.sha256(new byte[] {1});
  private static final AcceptedDivergence ENTRY = new AcceptedDivergence(
      ContentHash.sha256(new byte[] {2}),
      "OUTPUT",
      new AcceptedDivergence.Step("call", "search", "researcher", 4L),
      List.of("/output/load"),
      "the index is larger",
      "ada",
      Instant.parse("2026-01-02T03:04:05Z"),
      LocalDate.parse("2027-01-31"));

  /** The canonical text of a file with one entry, in single quotes for the tables below. */
  private static final String TEXT =
      ("{'accepted':[{'at':'2026-01-02T03:04:05Z','by':'ada','expires':'2027-01-31',"
              + "'fingerprint':'%s','kind':'OUTPUT','pointers':['/output/load'],"
              + "'reason':'the index is larger',"
              + "'step':{'agent':'researcher','kind':'call','line':4,'name':'search'}}],"
              + "'schema':'replay.accepted/1','tree_root':'%s'}")
          .formatted(ENTRY.fingerprint(), ROOT);

  @TempDir
  private Path directory;

  private static byte[] utf8(String text) {
    return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void the_bytes_are_canonical_and_are_read_again() throws IOException {
    AcceptedDivergences one = AcceptedDivergences.none(ROOT).with(List.of(ENTRY));

    assertThat(new String(one.bytes(), StandardCharsets.UTF_8))
        .isEqualTo(new String(utf8(TEXT), StandardCharsets.UTF_8) + "\n");
    assertThat(AcceptedDivergences.parse(one.bytes())).isEqualTo(one);
    assertThat(AcceptedDivergences.parse(utf8(TEXT)).bytes()).isEqualTo(one.bytes());
    assertThat(CanonicalJson.SERDE.isCanonical(utf8(TEXT), 0, utf8(TEXT).length))
        .isTrue();
  }

  @Test
  void optional_members_may_be_absent() throws IOException {
    String text = TEXT.replace("'by':'ada','expires':'2027-01-31',", "")
        .replace("'agent':'researcher',", "")
        .replace("'line':4,", "");

    AcceptedDivergence entry = AcceptedDivergences.parse(utf8(text)).all().get(0);

    assertThat(entry.by()).isNull();
    assertThat(entry.expires()).isNull();
    assertThat(entry.step()).hasToString("call search");
    assertThat(entry.isExpired(LocalDate.MAX)).isFalse();
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'schema':'replay.accepted/1' | 'schema':'replay.accepted/2' | /schema: must be \"replay.accepted/1\"",
        "'schema':'replay.accepted/1', | `` | /schema: must be \"replay.accepted/1\", found nothing",
        "'schema': | 'more':1,'schema': | /more: unknown member",
        "'kind':'OUTPUT' | 'kind':'OUTPUT','if':1 | /accepted/0/if: unknown member",
        "'kind':'call' | 'kind':'call','if':1 | /accepted/0/step/if: unknown member",
        "'tree_root':'sha256: | 'tree_root':'sha512: | /tree_root: must be \"sha256:\" and 64",
        "'fingerprint':'sha256: | 'fingerprint':' | /accepted/0/fingerprint: must be \"sha256:\" and 64",
        "'kind':'OUTPUT' | 'kind':1 | /accepted/0/kind: must be a string, found 1",
        "'kind':'OUTPUT', | `` | /accepted/0/kind: must be a string, found nothing",
        "['/output/load'] | '/output/load' | /accepted/0/pointers: must be an array",
        "['/output/load'] | ['','output'] | /accepted/0/pointers/1: must be a JSON Pointer",
        "['/output/load'] | [1] | /accepted/0/pointers/0: must be a JSON Pointer, found 1",
        "'reason':'the index is larger' | 'reason':' ' | /accepted/0/reason: must be a text that is not blank",
        "'reason':'the index is larger', | `` | /accepted/0/reason: must be a string, found nothing",
        "'by':'ada' | 'by':'' | /accepted/0/by: must be a text that is not blank",
        "'by':'ada' | 'by':null | /accepted/0/by: must be a string, found null",
        "2026-01-02T03:04:05Z | 2026-01-02 | /accepted/0/at: must be a time in UTC",
        "'at':'2026-01-02T03:04:05Z', | `` | /accepted/0/at: must be a string, found nothing",
        "2027-01-31 | 2027-02-31 | /accepted/0/expires: must be a date, as in 2027-01-31, found \"2027-02-31\"",
        "'expires':'2027-01-31' | 'expires':null | /accepted/0/expires: must be a date",
        "'line':4 | 'line':0 | /accepted/0/step/line: must be an integer of 64 bits from 1, found 0",
        "'name':'search' | 'name':null | /accepted/0/step/name: must be a string",
        "'accepted':[ | 'accepted':[1, | /accepted/0: must be an object, found 1",
        "'kind':'OUTPUT' | 'kind':'OUTPUT','kind':'OUTPUT' | at byte",
        "{'accepted' | [{'accepted' | at byte",
      })
  void malformed_file_is_refused_with_the_place(String part, String other, String message) {
    String text = TEXT.replace(part.strip(), other == null ? "" : other.strip());
    assertThat(text).isNotEqualTo(TEXT);

    assertThatThrownBy(() -> AcceptedDivergences.parse(utf8(text)))
        .isInstanceOf(DocumentFormatException.class)
        .hasMessageContaining(message);
  }

  @Test
  void every_truncation_is_refused() {
    byte[] bytes = utf8(TEXT);
    for (int length = 0; length < bytes.length; length++) {
      byte[] part = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> AcceptedDivergences.parse(part))
          .isInstanceOf(DocumentFormatException.class);
    }
  }

  @Test
  void fingerprint_that_is_stated_twice_is_refused() {
    String entry = TEXT.substring(TEXT.indexOf('[') + 1, TEXT.indexOf("],'schema'"));

    assertThatThrownBy(
            () -> AcceptedDivergences.parse(utf8(TEXT.replace(entry, entry + "," + entry))))
        .hasMessage("/accepted/1/fingerprint: is stated twice");
  }

  @Test
  void message_has_the_file() throws IOException {
    Path file = Files.writeString(directory.resolve("ACCEPTED.json"), "{}");

    assertThatThrownBy(() -> AcceptedDivergences.read(file))
        .isInstanceOf(DocumentFormatException.class)
        .hasMessageStartingWith(file + ": /schema: must be");
  }

  @Test
  void new_entry_replaces_one_with_its_fingerprint() {
    AcceptedDivergences expired = AcceptedDivergences.none(ROOT).with(List.of(ENTRY));
    AcceptedDivergence again = new AcceptedDivergence(
        ENTRY.fingerprint(),
        ENTRY.kind(),
        ENTRY.step(),
        ENTRY.pointers(),
        "still true",
        null,
        ENTRY.at(),
        null);

    assertThat(expired.with(List.of(again)).all()).containsExactly(again);
    assertThat(expired.withoutExpired(LocalDate.parse("2027-01-31")).all()).containsExactly(ENTRY);
    assertThat(expired.withoutExpired(LocalDate.parse("2027-02-01")).all()).isEmpty();
    assertThat(expired.all()).containsExactly(ENTRY);
  }

  @Test
  void blank_reason_is_refused() {
    assertThatThrownBy(() -> new AcceptedDivergence(
            ROOT, "OUTPUT", ENTRY.step(), List.of(), " ", null, ENTRY.at(), null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void file_is_in_the_directory_or_next_to_a_log_of_its_own_name() throws IOException {
    Session session = TestPair.ids(0).call("a", Map.of(), 1).write(directory);
    Path other = Files.copy(session.log(), directory.resolve("monday.jsonl"));

    assertThat(AcceptedDivergences.file(session)).isEqualTo(directory.resolve("ACCEPTED.json"));
    assertThat(AcceptedDivergences.file(Session.open(other)))
        .isEqualTo(directory.resolve("monday.jsonl.accepted.json"));
    assertThat(AcceptedDivergences.read(session)).isNull();
    AcceptedDivergences one = AcceptedDivergences.none(ROOT).with(List.of(ENTRY));
    one.write(AcceptedDivergences.file(session));
    assertThat(AcceptedDivergences.read(session)).isEqualTo(one);
  }

  @Test
  void file_of_more_than_16_MiB_is_refused() throws IOException {
    byte[] most = Arrays.copyOf(utf8(TEXT), 16 << 20);
    Arrays.fill(most, utf8(TEXT).length, most.length, (byte) ' ');
    Path file = Files.write(directory.resolve("ACCEPTED.json"), most);
    assertThat(AcceptedDivergences.read(file).all()).containsExactly(ENTRY);

    Files.writeString(file, " ", StandardOpenOption.APPEND);

    assertThatThrownBy(() -> AcceptedDivergences.read(file))
        .isInstanceOf(DocumentFormatException.class)
        .hasMessage(file + ": expected at most 16777216 bytes, found more");
  }

  @Test
  void tree_root_is_that_of_the_lines_whatever_they_contain() throws IOException {
    Session session = TestPair.ids(0).call("a", Map.of(), 1).write(directory);
    String text = Files.readString(session.log());
    ContentHash root = AcceptedDivergences.treeRoot(session);

    assertThat(root).isEqualTo(LogProver.open(session).checkpoint().tree().root());
    assertThat(root(text.stripTrailing())).as("without a final line feed").isEqualTo(root);
    assertThat(root(text.substring(0, text.length() - 9))).as("torn").isNotEqualTo(root);
    assertThat(root(text + "no event\n")).as("malformed").isNotEqualTo(root);
    assertThat(root(text + "\n")).as("an empty line").isNotEqualTo(root);
    assertThat(root("")).isEqualTo(ContentHash.sha256(new byte[0]));
    assertThatThrownBy(
            () -> AcceptedDivergences.treeRoot(session.withReaderOptions(new ReaderOptions(10))))
        .isInstanceOf(ReplayFormatException.class);
  }

  private ContentHash root(String text) throws IOException {
    Path log = Files.writeString(directory.resolve("changed.jsonl"), text);
    return AcceptedDivergences.treeRoot(new Session(log, null));
  }

  @Test
  void link_in_place_of_the_file_is_refused() throws IOException {
    Session session = TestPair.ids(0).call("a", Map.of(), 1).write(directory.resolve("s"));
    Path elsewhere = Files.write(directory.resolve("elsewhere.json"), utf8(TEXT));
    Files.createSymbolicLink(AcceptedDivergences.file(session), elsewhere);

    assertThatThrownBy(() -> AcceptedDivergences.read(session))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ACCEPTED.json");
  }

  @Test
  void file_fits_the_published_schema() throws Exception {
    JsonObject json = AcceptedDivergences.none(ROOT).with(List.of(ENTRY)).json();

    assertThat(ReportSchemas.faults(json)).isEmpty();
    assertThat(ReportSchemas.faults(json.with("more", 1))).isNotEmpty();
    assertThat(ReportSchemas.faults(json.without("tree_root"))).isNotEmpty();
  }
}
