package dev.agentreplay.records.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentreplay.records.RecordHash;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionRecords;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A record in a file has its texts next to it. */
class RecordFileTest {

  private static final SessionRecord RECORD = SampleRecord.of("RS1");

  @TempDir
  Path temp;

  @Test
  void texts_are_in_the_directory_next_to_the_record() throws IOException {
    RecordFile file = RecordFile.at(temp.resolve("record.json"));

    file.create(RECORD, SampleRecord.texts());

    assertThat(file.read()).isEqualTo(RECORD);
    assertThat(file.path()).hasContent(SessionRecords.write(RECORD));
    assertThat(temp.resolve("content")
            .resolve(RecordHash.ofContent(SampleRecord.DELTA).text()))
        .hasContent(SampleRecord.DELTA);
    assertThat(RecordCheck.of(file.read(), file.texts()).isConsistent()).isTrue();
  }

  @Test
  void record_that_exists_is_replaced_only_on_request() throws IOException {
    RecordFile file = RecordFile.at(temp.resolve("record.json"));
    file.create(RECORD, RecordTexts.none());
    SessionRecord other = SampleRecord.of("RS2");

    assertThatThrownBy(() -> file.create(other, SampleRecord.texts()))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(file.read()).isEqualTo(RECORD);
    assertThat(temp.resolve("content")).doesNotExist();

    file.replace(other, SampleRecord.texts());
    assertThat(file.read()).isEqualTo(other);
    assertThat(temp.resolve("content")).isNotEmptyDirectory();
  }

  @Test
  void missing_directory_is_not_created() {
    RecordFile file = RecordFile.at(temp.resolve("missing/record.json"));

    assertThatThrownBy(() -> file.create(RECORD, SampleRecord.texts()))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(temp.resolve("missing").toString());
    assertThatThrownBy(() -> file.replace(RECORD, SampleRecord.texts()))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void all_problems_of_a_file_are_reported() throws IOException {
    Path path = temp.resolve("record.json");
    Files.writeString(path, "{\"id\":\"x\"}");

    assertThatThrownBy(() -> RecordFile.at(path).read())
        .isInstanceOfSatisfying(RecordFormatException.class, e -> {
          assertThat(e).hasMessageStartingWith(path + ": not a session record: id: must match");
          assertThat(e.problems()).hasSize(6);
        });
  }
}
