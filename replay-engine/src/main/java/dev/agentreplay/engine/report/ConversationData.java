package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.report.Conversation.Absent;
import dev.agentreplay.engine.report.Conversation.Body;
import dev.agentreplay.engine.report.Conversation.Fact;
import dev.agentreplay.engine.report.Conversation.Headline;
import dev.agentreplay.engine.report.Conversation.Message;
import dev.agentreplay.engine.report.Conversation.Round;
import dev.agentreplay.engine.report.Conversation.Row;
import dev.agentreplay.engine.report.Conversation.Sides;
import dev.agentreplay.engine.report.Conversation.Text;
import dev.agentreplay.engine.report.embedded.ScriptWriter;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.Excerpt;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes the JSON that the page of a conversation reads. Its format is internal to the page.
 *
 * <pre>
 * data     {head, rounds: [round], omitted}
 *          omitted: the number of rows that are not in the file
 * head     {title, tone, verdict, conclusion, figures: [fact], facts: [fact], notices: [text],
 *           sides?: [left, right]}
 * fact     [name, value]
 * round    {number, heading, facts: [fact], rows: [row]}
 * row      {left?: message, right?: message, input?: true, severity?, state?, notes?: [text]}
 * message  {number, sender, role?, kind, time?, subject?, (body)}
 * body     {text, size?, mark?}, {size} or {absent: reason}; {same: true} on the right if the text
 *          is that on the left
 *          size: of a text that is cut or omitted, its length in characters
 * </pre>
 */
final class ConversationData {

  /** The maximum length of a name, and of a sentence, in characters. */
  private static final int NAME = 200;

  private static final int SENTENCE = 1_000;

  /** The shortest text to which a text is cut instead of omitted, in characters. */
  private static final int SHORTEST = 16;

  private final ScriptWriter out;
  private long charactersLeft;
  private int rowsLeft;

  ConversationData(ScriptWriter out) {
    this(out, ViewerData.TOTAL, ViewerData.EVENTS);
  }

  /** Creates a writer with different limits: characters of all texts, and rows. */
  ConversationData(ScriptWriter out, long maxCharacters, int maxRows) {
    this.out = out;
    this.charactersLeft = maxCharacters;
    this.rowsLeft = maxRows;
  }

  void write(Conversation conversation) throws IOException {
    Headline headline = conversation.headline();
    JsonObject.Builder head = JsonObject.builder()
        .put("title", name(conversation.title()))
        .put("tone", headline.tone().name().toLowerCase(Locale.ROOT))
        .put("verdict", name(headline.verdict()))
        .put("conclusion", sentence(headline.conclusion()))
        .put("figures", facts(conversation.figures()))
        .put("facts", facts(conversation.facts()))
        .put("notices", sentences(conversation.notices()));
    Sides sides = conversation.sides();
    if (sides != null) {
      head.put("sides", JsonArray.of(name(sides.left()), name(sides.right())));
    }
    String separator = "\n";
    out.syntax("{\"head\":").value(head.build()).syntax(",\n\"rounds\":[");
    long omitted = 0;
    for (Round round : conversation.rounds()) {
      out.syntax(separator);
      omitted += write(round);
      separator = ",\n";
    }
    out.syntax("],\n\"omitted\":").value(JsonValue.of(omitted)).syntax("}");
  }

  /** Writes a round, and returns the number of its rows that are omitted. */
  private int write(Round round) throws IOException {
    out.syntax("{\"number\":").value(JsonValue.of(round.number()));
    out.syntax(",\"heading\":").value(JsonString.of(name(round.heading())));
    out.syntax(",\"facts\":").value(facts(round.facts())).syntax(",\"rows\":[");
    List<Row> rows = round.rows();
    int written = Math.min(rows.size(), rowsLeft);
    for (int i = 0; i < written; i++) {
      out.syntax(i == 0 ? "\n" : ",\n").value(row(rows.get(i)));
    }
    out.syntax("]}");
    rowsLeft -= written;
    return rows.size() - written;
  }

  private JsonObject row(Row row) {
    JsonObject.Builder json = JsonObject.builder();
    Message left = row.left();
    Message right = row.right();
    if (left != null) {
      json.put("left", message(left, null));
    }
    if (right != null) {
      json.put("right", message(right, left));
    }
    if (row.isInput()) {
      json.put("input", true);
    }
    DivergenceSeverity severity = row.severity();
    if (severity != null) {
      json.put("severity", severity.id());
    }
    putText(json, "state", name(row.state()));
    if (!row.notes().isEmpty()) {
      json.put("notes", sentences(row.notes()));
    }
    return json.build();
  }

  private JsonObject message(Message message, @Nullable Message other) {
    JsonObject.Builder json = JsonObject.builder()
        .put("number", message.number())
        .put("sender", name(message.sender()))
        .put("kind", name(message.kind()));
    putText(json, "role", name(message.role()));
    putText(json, "time", name(message.time()));
    putText(json, "subject", sentence(message.subject()));
    body(json, message.body(), other == null ? null : other.body());
    return json.build();
  }

  private void body(JsonObject.Builder json, Body body, @Nullable Body other) {
    if (body instanceof Absent absent) {
      json.put("absent", sentence(absent.reason()));
    } else if (body instanceof Text text) {
      putText(json, "mark", name(text.mark()));
      if (other instanceof Text same && Objects.equals(same.text(), text.text())) {
        json.put("same", true);
      } else {
        text(json, text.text());
      }
    }
  }

  private void text(JsonObject.Builder json, String text) {
    int most = (int) Math.min(ViewerData.VALUE, charactersLeft);
    if (text.length() > most) {
      json.put("size", text.length());
      if (most < SHORTEST) {
        return;
      }
    }
    String kept = Excerpt.beginning(text, most);
    charactersLeft -= kept.length();
    json.put("text", kept);
  }

  private static void putText(JsonObject.Builder json, String name, String text) {
    if (!text.isEmpty()) {
      json.put(name, text);
    }
  }

  private static JsonArray facts(List<Fact> facts) {
    return DiffJson.array(facts, fact -> JsonArray.of(name(fact.name()), sentence(fact.value())));
  }

  private static JsonArray sentences(List<String> texts) {
    return DiffJson.array(texts, text -> JsonString.of(sentence(text)));
  }

  private static String name(String text) {
    return Excerpt.shortened(text, NAME);
  }

  private static String sentence(String text) {
    return Excerpt.shortened(text, SENTENCE);
  }
}
