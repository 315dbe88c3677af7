package dev.agentreplay.engine.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.engine.report.SummaryJson;
import dev.agentreplay.engine.view.SessionTree.Evidence;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.recording.ReplayWriter;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.ContentHash;
import dev.agentreplay.model.ForkOrigin;
import dev.agentreplay.model.ReplayHeader;
import dev.agentreplay.model.ReplayOrigin;
import dev.agentreplay.model.SessionEnd;
import dev.agentreplay.model.SessionStart;
import dev.agentreplay.model.SessionStart.Task;
import dev.agentreplay.model.Status;
import dev.agentreplay.model.TreeHead;
import dev.agentreplay.model.json.JsonArray;
import dev.agentreplay.model.json.JsonObject;
import dev.agentreplay.model.json.JsonString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sessions of a folder as a tree. */
class SessionTreeTest {

  private static final ReplayHeader HEADER = ReplayHeader.of("test@1");
  private static final ContentHash ROOT = ContentHash.sha256(new byte[1]);

  @TempDir
  Path home;

  private final SessionTree.Builder tree = SessionTree.builder();
  private int sessions;

  private Session write(ReplayHeader header, String id) throws IOException {
    Path directory = Files.createDirectories(home.resolve("s" + sessions++));
    try (ReplayWriter writer = ReplayWriter.create(directory.resolve(Session.LOG_NAME), header)) {
      // the task makes logs with the same id different
      writer.emit(SessionStart.of(id).withTask(Task.of("task " + sessions)));
      writer.emit(SessionEnd.of(Status.SUCCESS));
    }
    Session session = Session.open(directory);
    tree.add(SessionSummary.read(session));
    return session;
  }

  private Session recording(String id) throws IOException {
    return write(HEADER, id);
  }

  private Session fork(String parent, TreeHead head, String id) throws IOException {
    return write(new ForkOrigin(parent, head, JsonArray.EMPTY).addTo(HEADER), id);
  }

  private static TreeHead head(Session session, long lines) throws IOException {
    MerkleTree tree = new MerkleTree();
    try (ReplayReader reader = session.reader()) {
      for (ReplayLine line = reader.read();
          line != null && tree.size() < lines;
          line = reader.read()) {
        tree.add(line.bytes());
      }
    }
    return tree.head();
  }

  /** The number of the parent of each session, or -1. */
  private static List<Integer> parents(SessionTree tree) {
    return IntStream.range(0, tree.size())
        .mapToObj(i -> tree.parent(i) == null ? -1 : tree.parent(i).number())
        .toList();
  }

  @Test
  void fork_and_its_fork_are_below_the_only_session_with_the_stated_id() throws IOException {
    Session recorded = recording("a");
    fork("a", head(recorded, 2), "b");
    fork("b", new TreeHead(2, ROOT), "c");

    SessionTree made = tree.build();

    assertThat(parents(made)).containsExactly(-1, 0, 1);
    assertThat(made.parent(1).evidence()).isEqualTo(Evidence.TREE);
    assertThat(made.parent(2).evidence()).isEqualTo(Evidence.OTHER_CONTENT);
    assertThat(made.parent(2).fault()).isNull();
    assertThat(listed(made.parent(2)))
        .isEqualTo("{\"parent\":{\"path\":\"p\",\"matched_by\":\"other_content\"}}");
  }

  @Test
  void replay_is_below_its_recording_wherever_it_is_in_the_order() throws IOException {
    ReplayOrigin origin = new ReplayOrigin("a", new TreeHead(3, ROOT), ReplayOrigin.MOCK);
    write(new ReplayHeader("1", "test", null, null, null, origin, HEADER.meta()), "a-replay");
    recording("a");

    assertThat(parents(tree.build())).containsExactly(1, -1);
  }

  @Test
  void of_several_sessions_with_the_id_the_tree_head_decides() throws IOException {
    recording("a");
    Session second = recording("a");
    Session third = recording("a");
    fork("a", head(second, 2), "b");
    fork("a", head(third, 3), "c");

    SessionTree made = tree.build();

    assertThat(parents(made)).containsExactly(-1, -1, -1, 1, 2);
    assertThat(made.parent(3).evidence()).isEqualTo(Evidence.TREE);
  }

  @Test
  void session_whose_head_no_candidate_has_is_at_the_top() throws IOException {
    recording("a");
    recording("a");
    fork("a", new TreeHead(2, ROOT), "b");

    assertThat(parents(tree.build())).containsExactly(-1, -1, -1);
  }

  @Test
  void log_with_fewer_lines_than_the_fork_states_is_not_its_parent() throws IOException {
    recording("a");
    fork("a", new TreeHead(4, ROOT), "b");

    assertThat(parents(tree.build())).containsExactly(-1, -1);
  }

  @Test
  void candidate_that_is_gone_is_not_a_parent() throws IOException {
    Session first = recording("a");
    Session second = recording("a");
    fork("a", head(first, 2), "b");
    fork("a", head(second, 2), "c");
    Files.delete(first.log());

    assertThat(parents(tree.build())).containsExactly(-1, -1, -1, 1);
  }

  @Test
  void only_session_with_the_id_is_the_parent_if_its_log_is_gone_and_the_reason_is_stated()
      throws IOException {
    Session recorded = recording("a");
    fork("a", head(recorded, 2), "b");
    Files.delete(recorded.log());

    SessionTree.Parent parent = tree.build().parent(1);

    assertThat(parent.evidence()).isEqualTo(Evidence.SESSION_ID);
    assertThat(parent.fault()).contains(recorded.log().getFileName().toString());
    assertThat(listed(parent))
        .isEqualTo("{\"parent\":{\"path\":\"p\",\"matched_by\":\"session_id\",\"error\":"
            + JsonString.of(parent.fault()) + "}}");
  }

  /** The member of a list for the parent of a session. */
  private static String listed(SessionTree.Parent parent) {
    return SummaryJson.withParent(JsonObject.EMPTY, Path.of("p"), parent).toString();
  }

  @Test
  void head_before_a_line_that_became_unreadable_decides() throws IOException {
    Session recording = recording("first");
    fork("first", head(recording, 2), "second");
    fork("first", head(recording, 3), "third");
    Path log = recording.log();
    Files.write(log, Files.readString(log).replace("SessionEnd", "Session\0nd").getBytes(UTF_8));

    SessionTree tree = this.tree.build();

    assertThat(tree.parent(1).evidence()).isEqualTo(Evidence.TREE);
    assertThat(tree.parent(2).evidence()).isEqualTo(Evidence.SESSION_ID);
    assertThat(tree.parent(2).fault()).contains("line 3");
  }

  @Test
  void session_is_not_below_itself_and_a_cycle_is_cut() throws IOException {
    fork("a", new TreeHead(1, ROOT), "a");
    fork("c", new TreeHead(1, ROOT), "b");
    fork("b", new TreeHead(1, ROOT), "c");
    fork("c", new TreeHead(1, ROOT), "d");

    SessionTree made = tree.build();

    assertThat(parents(made)).containsExactly(-1, 2, -1, 2);
    assertThat(made.nest(List.of(0, 1, 2, 3))).hasSize(4);
  }

  @Test
  void list_has_the_order_of_siblings_and_starts_with_sessions_whose_parent_is_not_in_it()
      throws IOException {
    recording("a");
    fork("a", new TreeHead(1, ROOT), "b");
    fork("a", new TreeHead(1, ROOT), "c");
    fork("b", new TreeHead(1, ROOT), "d");
    SessionTree made = tree.build();

    assertThat(made.nest(List.of(3, 2, 1, 0)))
        .extracting(nested -> nested.depth() + ":" + nested.number())
        .containsExactly("0:0", "1:2", "1:1", "2:3");
    assertThat(made.nest(List.of(3, 2, 0)))
        .extracting(nested -> nested.depth() + ":" + nested.number())
        .containsExactly("0:3", "0:0", "1:2");
    assertThat(made.nest(List.of())).isEmpty();
  }

  @Test
  void fork_states_its_point_and_its_changes_in_words() throws IOException {
    JsonArray changes = JsonArray.of(
        JsonObject.of("change", "set", "line", 3, "pointer", "/output/status", "value", "paid"),
        JsonObject.of("change", "result", "line", 7, "content_hash", ROOT.toString()),
        JsonObject.of("change", "tool", "tool", "search"),
        "x".repeat(300));
    ForkOrigin fork = new ForkOrigin("a", new TreeHead(2, ROOT), changes);
    SessionSummary summary = SessionSummary.read(write(fork.addTo(HEADER), "b"));

    assertThat(summary.forkedFrom()).isEqualTo(fork);
    assertThat(summary.replayOf()).isNull();
    assertThat(summary.origin().text())
        .startsWith(
            "fork of session a at line 3, with set /output/status at line 3, result at line 7,"
                + " tool search, \"xxx")
        .hasSizeLessThan(400);
    assertThat(summary.origin().shortText())
        .startsWith(
            "at line 3: set /output/status at line 3 to \"paid\", result at line 7, tool search, ");
  }

  @Test
  void deep_chain_is_nested() throws IOException {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      fork("s" + (i - 1), new TreeHead(1, ROOT), "s" + i);
      order.add(i);
    }

    assertThat(tree.build().nest(order).get(299).depth()).isEqualTo(299);
  }
}
