package dev.agentreplay.records.replay;

import static dev.agentreplay.records.replay.TestSession.said;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.session.Session;
import dev.agentreplay.records.RecordedSessions;
import dev.agentreplay.records.SessionRecord;
import dev.agentreplay.records.SessionTrace;
import dev.agentreplay.records.TraceMessage;
import dev.agentreplay.records.TraceMessage.Type;
import dev.agentreplay.records.recording.RecordedThread;
import dev.agentreplay.records.recording.SessionRecording;
import dev.agentreplay.records.replay.MessageDivergence.Kind;
import dev.agentreplay.records.replay.TestSession.Said;
import dev.agentreplay.testkit.TestSessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each change of one message of a recorded session is the only divergence of its record. */
class RecordedSessionReplaysTest {

  private static final int MESSAGES_PER_SESSION = 5;

  /** A message of a session that no other message is the same as. */
  private record Place(TestSession session, int round, int index) {

    Said message() {
      return session.at(round, index);
    }
  }

  static Stream<Path> sessions() {
    return RecordedSessions.all().values().stream();
  }

  private static TestSession session(Path directory) throws IOException {
    RecordedThread recorded = SessionRecording.of(Session.open(directory)).record();
    SessionRecord record = recorded.record();
    List<List<Said>> rounds = new ArrayList<>();
    for (SessionTrace.Round round : record.trace().rounds()) {
      List<Said> messages = new ArrayList<>();
      for (TraceMessage message : round.messages()) {
        String text = recorded.texts().text(message.contentHash());
        messages.add(said(message.from(), message.type(), String.valueOf(text)));
      }
      rounds.add(messages);
    }
    return new TestSession(record.inputs().agentRoster(), rounds, "artifact");
  }

  private static List<Place> places(TestSession session) {
    List<Said> all = session.rounds().stream().flatMap(List::stream).toList();
    List<Place> places = new ArrayList<>();
    for (int r = 0; r < session.rounds().size(); r++) {
      for (int m = 0; m < session.rounds().get(r).size(); m++) {
        Said said = session.at(r, m);
        boolean isOfAgent =
            session.roster().stream().anyMatch(agent -> agent.agentName().equals(said.from()));
        boolean isUnique =
            all.stream().filter(other -> other.text().equals(said.text())).count() == 1;
        if (isOfAgent && isUnique) {
          places.add(new Place(session, r, m));
        }
      }
    }
    Collections.shuffle(places, new Random(1));
    return places.subList(0, Math.min(MESSAGES_PER_SESSION, places.size()));
  }

  private static void assertOnly(Kind kind, Place place, TestSession recorded, TestSession other)
      throws Exception {
    SessionReplayResult result = recorded.against(other).force(true).run();

    assertThat(result.divergences()).as("%s at %s", kind, place).singleElement().satisfies(d -> {
      assertThat(d.kind()).isEqualTo(kind);
      assertThat(d.reported().roundNumber()).isEqualTo(place.round());
      assertThat(d.reported().messageIndex()).isEqualTo(place.index());
    });
    assertThat(result.report().similarity().percentage()).isLessThan(100);
    assertThat(result.report().problems()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("sessions")
  void a_changed_message_is_the_only_divergence(Path directory) throws Exception {
    assertChangesAreFound(session(directory));
  }

  @Test
  void sessions_have_messages_to_change() throws IOException {
    int sessions = 0;
    for (Path directory : RecordedSessions.all().values()) {
      sessions += places(session(directory)).isEmpty() ? 0 : 1;
    }
    assertThat(sessions).isGreaterThanOrEqualTo(13);
  }

  @Tag("slow")
  @Test
  void a_changed_message_of_a_session_of_the_corpus_is_the_only_divergence() throws Exception {
    int sessions = 0;
    for (Path directory : TestSessions.corpusSessions()) {
      TestSession session = session(directory);
      assertChangesAreFound(session);
      sessions += places(session).isEmpty() ? 0 : 1;
    }
    assertThat(sessions).isGreaterThanOrEqualTo(60);
  }

  private static void assertChangesAreFound(TestSession session) throws Exception {
    assertThat(session.against(session).force(true).run().report().similarity().percentage())
        .isEqualTo(100);
    for (Place place : places(session)) {
      Said said = place.message();
      TestSession without = session.with(place.round(), place.index());
      Type type = said.type() == Type.CRITIQUE ? Type.DELTA : Type.CRITIQUE;

      assertOnly(Kind.MISSING, place, session, without);
      assertOnly(Kind.ADDED, place, without, session);
      assertOnly(Kind.TEXT, place, session, changed(place, said.text() + " And more."));
      assertOnly(Kind.TEXT, place, session, changed(place, "\u00a7"));
      assertOnly(
          Kind.TYPE,
          place,
          session,
          session.with(place.round(), place.index(), said(said.from(), type, said.text())));
    }
  }

  private static TestSession changed(Place place, String text) {
    Said said = place.message();
    return place.session().with(place.round(), place.index(), said(said.from(), said.type(), text));
  }
}
