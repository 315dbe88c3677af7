package dev.agentreplay.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.io.ReplayLine;
import dev.agentreplay.io.ReplayReader;
import dev.agentreplay.io.Session;
import dev.agentreplay.model.json.JsonNull;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The patches between recorded sessions lead from the left events to the right ones. */
class DivergencePatchTest {

  private static final List<String> COMPARED =
      List.of("tool", "params", "params_hash", "output", "output_hash");

  @Test
  void patchLeadsFromTheLeftEventToTheRightInWhatIsCompared() throws IOException {
    List<Path> sessions = TestSessions.directories(TestSessions.bundled("sessions"));
    int changed = 0;
    for (Path left : sessions) {
      for (Path right : sessions) {
        changed += check(Session.open(left), Session.open(right));
      }
    }
    assertThat(changed).isGreaterThan(20);
  }

  private static int check(Session left, Session right) throws IOException {
    List<JsonObject> leftLines = lines(left);
    List<JsonObject> rightLines = lines(right);
    int changed = 0;
    for (Divergence divergence : SessionDiff.between(left, right).divergences()) {
      JsonObject before = at(leftLines, divergence.left());
      JsonObject after = at(rightLines, divergence.right());
      if (before == null || after == null) {
        assertThat(divergence.before()).isEqualTo(before);
        assertThat(divergence.after()).isEqualTo(after);
        assertThat(divergence.pointer()).isEmpty();
        assertThat(JsonPatches.apply(divergence.patch(), before))
            .isEqualTo(after == null ? JsonNull.NULL : after);
      } else if (before.has("output_hash") == after.has("output_hash")) {
        changed++;
        JsonValue patched = JsonPatches.apply(divergence.patch(), before);
        for (String name : COMPARED) {
          assertThat(patched.asObject().get(name)).isEqualTo(after.get(name));
        }
        assertThat(patched.asObject().without(COMPARED.toArray(String[]::new)))
            .isEqualTo(before.without(COMPARED.toArray(String[]::new)));
        assertThat(divergence.pointer()).isNotEmpty();
        JsonObject first = divergence.patch().get(0).asObject();
        boolean added = first.at("/op").asString().equals("add");
        assertThat(divergence.before()).isEqualTo(added ? null : before.find(divergence.pointer()));
        assertThat(divergence.after()).isEqualTo(first.get("value"));
        assertThat(divergence.before()).isNotEqualTo(divergence.after());
      }
    }
    return changed;
  }

  private static JsonObject at(List<JsonObject> lines, Divergence.Place place) {
    return place == null ? null : lines.get((int) place.line() - 1);
  }

  private static List<JsonObject> lines(Session session) throws IOException {
    List<JsonObject> lines = new ArrayList<>();
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line : reader) {
        lines.add(line.json());
      }
    }
    return lines;
  }
}
