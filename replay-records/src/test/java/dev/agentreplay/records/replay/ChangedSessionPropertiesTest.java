package dev.agentreplay.records.replay;

import static dev.agentreplay.records.replay.TestSession.said;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.records.RecordReplayReport.Severity;
import dev.agentreplay.records.TraceMessage.Type;
import dev.agentreplay.records.replay.MessageDivergence.Kind;
import dev.agentreplay.records.replay.TestSession.Said;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** A session with one changed message diverges in exactly this message. */
class ChangedSessionPropertiesTest {

  private static final List<String> AGENTS = List.of("Blue", "Green", "Red");
  private static final List<Type> TYPES =
      List.of(Type.DELTA, Type.CRITIQUE, Type.EVIDENCE, Type.RESULT);

  /** A session, and one of its messages. */
  record Place(TestSession session, int round, int index) {

    Said message() {
      return session.at(round, index);
    }

    TestSession changed(String text) {
      return session.with(round, index, said(message().from(), message().type(), text));
    }
  }

  @Provide
  Arbitrary<Place> places() {
    return Arbitraries.longs().map(seed -> {
      Random random = new Random(seed);
      List<List<Said>> rounds = new ArrayList<>();
      int number = 0;
      for (int r = 0; r < 2 + random.nextInt(3); r++) {
        List<Said> messages = new ArrayList<>();
        messages.add(said("Operator", Type.KICKOFF, "round " + r));
        for (int m = 0; m < 1 + random.nextInt(8); m++) {
          messages.add(said(
              AGENTS.get(random.nextInt(AGENTS.size())),
              TYPES.get(random.nextInt(TYPES.size())),
              text(number++, random)));
        }
        rounds.add(messages);
      }
      TestSession session = TestSession.of(rounds);
      int round = random.nextInt(rounds.size());
      return new Place(session, round, 1 + random.nextInt(rounds.get(round).size() - 1));
    });
  }

  /** A text of 200 characters that starts with a number of its own. */
  private static String text(int number, Random random) {
    StringBuilder text = new StringBuilder("%03d".formatted(number));
    while (text.length() < 200) {
      text.append((char) ('a' + random.nextInt(12)));
    }
    return text.toString();
  }

  private static void assertOnly(Place place, TestSession other, Kind kind, Severity severity)
      throws Exception {
    assertOnly(place, place.session(), other, kind, severity);
  }

  private static void assertOnly(
      Place place, TestSession recorded, TestSession other, Kind kind, Severity severity)
      throws Exception {
    SessionReplayResult result = recorded.against(other).run();

    assertThat(result.divergences()).singleElement().satisfies(divergence -> {
      assertThat(divergence.kind()).isEqualTo(kind);
      assertThat(divergence.reported().severity()).isEqualTo(severity);
      assertThat(divergence.reported().roundNumber()).isEqualTo(place.round());
      assertThat(divergence.reported().messageIndex()).isEqualTo(place.index());
      assertThat(divergence.reported().agent()).isEqualTo(place.message().from());
    });
    assertThat(result.report().similarity().percentage()).isLessThan(100);
    assertThat(result.report().problems()).isEmpty();
  }

  @Property(tries = 100)
  void a_session_matches_itself(@ForAll("places") Place place) throws Exception {
    SessionReplayResult result = place.session().against(place.session()).run();

    assertThat(result.verdict()).isEqualTo(SessionReplayVerdict.MATCHED);
    assertThat(result.divergences()).isEmpty();
    assertThat(result.report().similarity().percentage()).isEqualTo(100);
  }

  @Property(tries = 100)
  void a_reworded_message_is_the_only_divergence(
      @ForAll("places") Place place, @ForAll @IntRange(min = 3, max = 180) int at)
      throws Exception {
    StringBuilder text = new StringBuilder(place.message().text());

    assertOnly(
        place,
        place.changed(text.replace(at, at + 10, "XXXXXXXXXX").toString()),
        Kind.TEXT,
        Severity.MINOR);
  }

  @Property(tries = 100)
  void a_message_of_a_different_approach_is_the_only_divergence(
      @ForAll("places") Place place, @ForAll @IntRange(min = 3, max = 130) int at)
      throws Exception {
    StringBuilder text = new StringBuilder(place.message().text());

    assertOnly(
        place,
        place.changed(text.replace(at, at + 50, "X".repeat(50)).toString()),
        Kind.TEXT,
        Severity.MODERATE);
  }

  @Property(tries = 100)
  void a_message_of_a_different_conclusion_is_the_only_divergence(@ForAll("places") Place place)
      throws Exception {
    assertOnly(place, place.changed("X".repeat(200)), Kind.TEXT, Severity.MAJOR);
  }

  @Property(tries = 100)
  void a_missing_message_is_the_only_divergence(@ForAll("places") Place place) throws Exception {
    assertOnly(
        place, place.session().with(place.round(), place.index()), Kind.MISSING, Severity.MAJOR);
  }

  @Property(tries = 100)
  void an_added_message_is_the_only_divergence(@ForAll("places") Place place) throws Exception {
    TestSession without = place.session().with(place.round(), place.index());

    assertOnly(place, without, place.session(), Kind.ADDED, Severity.MAJOR);
  }

  @Property(tries = 100)
  void a_message_of_a_different_type_is_the_only_divergence(@ForAll("places") Place place)
      throws Exception {
    Type type = TYPES.get((TYPES.indexOf(place.message().type()) + 1) % TYPES.size());

    assertOnly(
        place,
        place
            .session()
            .with(
                place.round(),
                place.index(),
                said(place.message().from(), type, place.message().text())),
        Kind.TYPE,
        Severity.MAJOR);
  }

  @Property(tries = 100)
  void a_message_in_a_different_round_is_the_only_divergence(@ForAll("places") Place place)
      throws Exception {
    int round = (place.round() + 1) % place.session().rounds().size();
    TestSession other =
        place.session().with(round, 0, place.session().at(round, 0), place.message());
    int index = place.index();

    assertOnly(place, other.with(place.round(), index), Kind.ROUND, Severity.MODERATE);
  }
}
