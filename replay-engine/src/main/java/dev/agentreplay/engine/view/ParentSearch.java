package dev.agentreplay.engine.view;

import dev.agentreplay.canonical.tree.MerkleTree;
import dev.agentreplay.engine.view.SessionTree.Evidence;
import dev.agentreplay.engine.view.SessionTree.Parent;
import dev.agentreplay.io.log.ReplayLine;
import dev.agentreplay.io.log.ReplayReader;
import dev.agentreplay.io.session.Session;
import dev.agentreplay.model.Failure;
import dev.agentreplay.model.TreeHead;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the parent of each session of a folder. Not thread-safe. */
final class ParentSearch {

  /** A session that may be a parent. */
  private record Candidate(int number, Session session, long lines) {}

  /** A session that states a parent. */
  private record Child(int number, String parentId, TreeHead head) {}

  private final Map<String, List<Candidate>> candidates = new HashMap<>();
  private final List<Child> children = new ArrayList<>();
  private int size;

  int add(SessionSummary summary) {
    int number = size++;
    String id = summary.sessionId();
    if (id != null) {
      candidates
          .computeIfAbsent(id, key -> new ArrayList<>(1))
          .add(new Candidate(number, summary.session(), summary.totals().events()));
    }
    SessionOrigin origin = summary.origin();
    if (origin != null) {
      String parentId = origin.sessionId();
      if (parentId != null) {
        children.add(new Child(number, parentId, origin.head()));
      }
    }
    return number;
  }

  List<@Nullable Parent> parents() {
    @Nullable Parent[] parents = new Parent[size];
    Map<String, List<Child>> byParent = new HashMap<>();
    for (Child child : children) {
      byParent.computeIfAbsent(child.parentId(), key -> new ArrayList<>()).add(child);
    }
    byParent.forEach((id, of) -> find(candidates.getOrDefault(id, List.of()), of, parents));
    cut(parents);
    return Arrays.asList(parents);
  }

  private static void find(List<Candidate> of, List<Child> children, @Nullable Parent[] parents) {
    Map<TreeHead, List<Child>> byHead = new HashMap<>();
    for (Child child : children) {
      byHead.computeIfAbsent(child.head(), key -> new ArrayList<>()).add(child);
    }
    Evidence only = Evidence.OTHER_CONTENT;
    String fault = null;
    for (Candidate candidate : of) {
      try {
        match(candidate, byHead, parents);
      } catch (IOException unreadable) { // it is gone or was changed since it was added
        only = Evidence.SESSION_ID;
        fault = Failure.message(unreadable);
      }
    }
    if (of.size() == 1) {
      Candidate candidate = of.get(0);
      for (Child child : children) {
        if (parents[child.number()] == null
            && candidate.number() != child.number()
            && candidate.lines() >= child.head().size()) {
          parents[child.number()] = new Parent(candidate.number(), only, fault);
        }
      }
    }
  }

  /** Makes a candidate the parent of those whose head the tree over its first lines has. */
  private static void match(
      Candidate candidate, Map<TreeHead, List<Child>> byHead, @Nullable Parent[] parents)
      throws IOException {
    Set<Long> sizes = new HashSet<>();
    long last = 0;
    for (TreeHead head : byHead.keySet()) {
      sizes.add(head.size());
      last = head.size() <= candidate.lines() ? Math.max(last, head.size()) : last;
    }
    MerkleTree tree = new MerkleTree();
    try (ReplayReader reader = candidate.session().reader()) {
      while (tree.size() < last) {
        ReplayLine line = reader.read();
        if (line == null) {
          break;
        }
        tree.add(line.bytes());
        List<Child> children = sizes.contains(tree.size()) ? byHead.get(tree.head()) : null;
        for (Child child : children == null ? List.<Child>of() : children) {
          if (parents[child.number()] == null && candidate.number() != child.number()) {
            parents[child.number()] = new Parent(candidate.number(), Evidence.TREE, null);
          }
        }
      }
    }
  }

  /** Removes the parent of one session of each cycle, which only altered headers can state. */
  private static void cut(@Nullable Parent[] parents) {
    int[] walks = new int[parents.length];
    for (int start = 0; start < parents.length; start++) {
      int at = start;
      while (walks[at] == 0) {
        walks[at] = start + 1;
        Parent parent = parents[at];
        if (parent == null) {
          break;
        }
        if (walks[parent.number()] == start + 1) {
          parents[at] = null;
          break;
        }
        at = parent.number();
      }
    }
  }
}
