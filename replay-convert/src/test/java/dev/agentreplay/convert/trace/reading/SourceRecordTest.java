package dev.agentreplay.convert.trace.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.CanonicalJson;
import dev.agentreplay.canonical.JsonText;
import dev.agentreplay.convert.trace.report.SourcePlace;
import dev.agentreplay.convert.trace.report.TraceLedger.Action;
import dev.agentreplay.convert.trace.report.TraceLedger.Entry;
import dev.agentreplay.model.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A record accounts for each of its members. */
class SourceRecordTest {

  private final LedgerBuilder ledger = new LedgerBuilder();

  private SourceRecord record(String json) {
    JsonObject object = JsonText.parse(json).asObject();
    return SourceRecord.of(
        object, "step", SourcePlace.line(null, 7, 0), CanonicalJson.SERDE.hash(object), ledger);
  }

  private List<Entry> entries() {
    return ledger.build().entries();
  }

  @Test
  void restHasWhatWasNeitherMovedNorDropped() {
    SourceRecord record =
        record("{\"a\":1,\"b\":{\"c\":2,\"d\":{\"e\":3}},\"f\":[1,{\"g\":2}],\"h\":{\"i\":1}}");
    record.move("X/a", "a");
    record.drop("not needed", "b", "c");
    record.move("X/e", "b", "d", "e");
    record.move("X/i", "h", "i");
    record.derive("X/f", "f");

    assertThat(record.rest()).isEqualTo(JsonText.parse("{\"f\":[1,{\"g\":2}]}"));
    record.written();
    assertThat(entries())
        .containsExactly(
            new Entry(Action.MOVED, "step", "/a", "X/a", null, 1),
            new Entry(Action.DROPPED, "step", "/b/c", null, "not needed", 1),
            new Entry(Action.MOVED, "step", "/b/d/e", "X/e", null, 1),
            new Entry(Action.DERIVED, "step", "/f", "X/f", null, 1),
            new Entry(Action.KEPT, "step", "/f/*", null, null, 1),
            new Entry(Action.KEPT, "step", "/f/*/g", null, null, 1),
            new Entry(Action.MOVED, "step", "/h/i", "X/i", null, 1));
  }

  @Test
  void missingMembersAreNotCounted() {
    SourceRecord record = record("{\"a\":{\"b\":1}}");
    assertThat(record.move("X", "c")).isNull();
    record.drop("not needed", "a", "c");
    record.derive("X", "a", "b", "d");

    assertThat(entries()).isEmpty();
    assertThat(record.rest()).isEqualTo(record.json());
  }

  @Test
  void restCountsOnce() {
    SourceRecord record = record("{\"a\":1}");
    record.written();
    record.written();

    assertThat(entries()).containsExactly(new Entry(Action.KEPT, "step", "/a", null, null, 1));
  }

  @Test
  void elementsBecomeRecordsOfTheirOwn() {
    SourceRecord record = record("{\"calls\":[{\"n\":1},{\"n\":2}],\"texts\":[\"x\"]}");
    List<SourceRecord> calls = record.split("call", "calls");

    assertThat(calls)
        .extracting(call -> call.place().toString())
        .containsExactly("line 7, /calls/0", "line 7, /calls/1");
    assertThat(calls).extracting(SourceRecord::type).containsOnly("call");
    assertThat(record.split("text", "texts")).isEmpty();
    assertThat(record.rest()).isEqualTo(JsonText.parse("{\"texts\":[\"x\"]}"));
    assertThat(ledger.records()).containsEntry("call", 2L).containsEntry("step", 1L);
  }

  @Test
  void namesThatAreDataAreNotListed() {
    record("{\"files\":{\"/home/x/.ssh/id\":1,\"a b\":2,\"42\":3,\"name\":4,"
            + "\"fedcba9876543210\":5}}")
        .written();

    assertThat(entries()).extracting(Entry::member).containsExactly("/files/*", "/files/name");
    assertThat(entries().get(0).count()).isEqualTo(4);
  }

  @Test
  void manyDifferentNamesAreCountedTogether() {
    StringBuilder json = new StringBuilder("{\"last\":0");
    for (int i = 0; i < 1_000; i++) {
      json.append(",\"n").append(i).append("\":1");
    }
    record(json.append('}').toString()).written();

    assertThat(entries()).hasSizeLessThan(250);
    assertThat(ledger.build().count(Action.KEPT)).isEqualTo(1_001);
  }

  @Test
  void typeThatIsDataIsShortened() {
    JsonObject object = JsonObject.EMPTY;
    SourceRecord record = SourceRecord.of(
        object, "x".repeat(500), SourcePlace.DOCUMENT, CanonicalJson.SERDE.hash(object), ledger);
    assertThat(record.type()).hasSize(60);
  }
}
