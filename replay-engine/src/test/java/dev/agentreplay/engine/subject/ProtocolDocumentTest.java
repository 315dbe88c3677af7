package dev.agentreplay.engine.subject;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.engine.subject.SubjectException.Reason;
import dev.agentreplay.engine.subject.SubjectMessage.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The document on the protocol has each type of message, member, and limit. */
class ProtocolDocumentTest {

  private static String document() throws IOException {
    return Files.readString(Path.of("../docs/protocol.md"));
  }

  @Test
  void each_member_of_a_message_is_in_its_section() throws IOException {
    List<String> missing = new ArrayList<>();
    for (Type type : Type.values()) {
      String heading = "\n### " + (type == Type.OUTPUT ? "execute" : type.id()) + "\n";
      String text = document();
      assertThat(text).contains(heading);
      int from = text.indexOf(heading) + heading.length();
      int next = text.indexOf("\n### ", from);
      int chapter = text.indexOf("\n## ", from);
      int end = next < 0 ? chapter : Math.min(next, chapter);
      String section = text.substring(from, end);
      for (String member : type.members()) {
        boolean isCommon = member.equals("id") || member.equals("type");
        if (!isCommon && !section.contains("`" + member + "`")) {
          missing.add(type.id() + "." + member);
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void each_message_of_a_subject_in_the_text_is_accepted() throws Exception {
    List<Type> accepted = new ArrayList<>();
    Matcher messages = Pattern.compile("`(\\{\"id\":[^`]*})`").matcher(document());
    while (messages.find()) {
      String text = messages.group(1);
      if (!text.contains("\"execute\"") && !text.contains("\"piece\"")) { // of the replay
        SubjectMessage message = SubjectMessage.parse(text.getBytes(UTF_8), 1);
        accepted.add(message.type());
        if (message.type() == Type.EMIT) {
          assertThat(SubjectEvents.event(message)).isNotNull();
        }
      }
    }
    assertThat(accepted).contains(Type.EMIT);
  }

  @Test
  void limits_and_versions_are_those_of_the_code() throws IOException {
    SubjectLimits limits = SubjectLimits.defaults();
    assertThat(document())
        .contains("at most %d MiB".formatted(limits.maxLineBytes() >> 20))
        .contains("%,d requests wait".formatted(limits.maxOutstanding()))
        .contains("`hello` within %d s".formatted(limits.hello().toSeconds()))
        .contains("exits within %d s".formatted(limits.grace().toSeconds()))
        .contains("version of the protocol: " + ProcessCommand.PROTOCOL)
        .contains(ProcessCommand.PROTOCOL_VARIABLE + "=" + ProcessCommand.PROTOCOL);
    for (Reason reason : List.of(Reason.PROTOCOL, Reason.VERSION, Reason.LIMIT)) {
      assertThat(document()).contains("| `" + reason.id() + "` |");
    }
  }
}
