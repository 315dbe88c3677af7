package dev.agentreplay.engine.diff.value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the equal elements of two unordered arrays if rules select something in the texts of some
 * elements. A text in which a rule selects something is compared as a value with any text that
 * holds JSON, and two other texts are compared exactly. So equality is not transitive, and equal
 * elements may have different digests: the largest number of pairs is searched. An instance is for
 * one pairing.
 */
final class EqualElements {

  /** The maximum number of pairs of forms among elements that may be equal. */
  private static final int MAX_PAIRS = 250_000;

  private final ComparedValue left;
  private final ComparedValue right;
  private final ValueDigests digests;
  private final int maxElements;
  private final TextForms forms;
  private final TextGroups groups;
  private long visits;

  EqualElements(
      ComparedValue left,
      ComparedValue right,
      ValueDigests digests,
      ValueNormalizer normalizer,
      int maxElements) {
    this.left = left;
    this.right = right;
    this.digests = digests;
    this.maxElements = maxElements;
    this.forms = new TextForms(left, right, digests, normalizer);
    this.groups = new TextGroups(forms);
  }

  /** The elements of two arrays that may be equal, by their forms. */
  private record Group(
      Map<Integer, List<ComparedValue>> left, Map<Integer, List<ComparedValue>> right) {

    Group() {
      this(new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    boolean isTooLarge() {
      return (long) left.size() * right.size() > MAX_PAIRS;
    }

    /** The elements of each form: first those in whose texts no rule selects anything. */
    private static List<List<ComparedValue>> nodes(Map<Integer, List<ComparedValue>> byForm) {
      return byForm.values().stream()
          .sorted(Comparator.comparing(elements -> elements.get(0).holdsParsed()))
          .toList();
    }
  }

  /**
   * Returns the elements of both arrays that have an equal partner, as many as possible. Returns
   * null when too many elements would have to be compared with each other.
   */
  @Nullable
  Set<ComparedValue> find() {
    return find(left, right);
  }

  /** The number of values that were compared so far. */
  long visits() {
    return visits;
  }

  private @Nullable Set<ComparedValue> find(ComparedValue before, ComparedValue after) {
    Map<Integer, Group> byHash = new LinkedHashMap<>();
    for (ComparedValue element : before.children) {
      add(element, group(element, byHash).left);
    }
    for (ComparedValue element : after.children) {
      add(element, group(element, byHash).right);
    }
    if (byHash.values().stream().anyMatch(Group::isTooLarge)) {
      return null;
    }
    Set<ComparedValue> equal = new HashSet<>();
    for (Group group : byHash.values()) {
      List<List<ComparedValue>> leftNodes = Group.nodes(group.left);
      List<List<ComparedValue>> rightNodes = Group.nodes(group.right);
      ElementMatching matching = new ElementMatching(leftNodes, rightNodes, this::areEqual);
      addPaired(leftNodes, matching.freeLeft(), equal);
      addPaired(rightNodes, matching.freeRight(), equal);
    }
    return equal;
  }

  private Group group(ComparedValue element, Map<Integer, Group> byHash) {
    return byHash.computeIfAbsent(groups.hash(element), hash -> new Group());
  }

  private void add(ComparedValue element, Map<Integer, List<ComparedValue>> byForm) {
    byForm.computeIfAbsent(forms.of(element), form -> new ArrayList<>()).add(element);
  }

  private static void addPaired(
      List<List<ComparedValue>> nodes, int[] free, Set<ComparedValue> equal) {
    for (int i = 0; i < free.length; i++) {
      equal.addAll(nodes.get(i).subList(0, nodes.get(i).size() - free[i]));
    }
  }

  /** Whether nothing differs between two values, tolerances and close texts apart. */
  private boolean areEqual(ComparedValue before, ComparedValue after) {
    visits++;
    if (Arrays.equals(before.digest(digests), after.digest(digests))) {
      return true;
    }
    if (!before.holdsParsed() && !after.holdsParsed()) {
      return false;
    }
    if (before.isParsed() || after.isParsed()) {
      ComparedValue inBefore = forms.inside(before);
      ComparedValue inAfter = forms.inside(after);
      return (inBefore != null && inAfter != null && inBefore.isObject() == inAfter.isObject())
          ? areEqual(inBefore, inAfter)
          : areEqual(forms.asText(before), forms.asText(after));
    }
    if (before.isScalar()
        || after.isScalar()
        || before.isObject() != after.isObject()
        || before.children.length != after.children.length) {
      return false;
    }
    int length = before.children.length;
    if (before.unordered != null && after.unordered != null) {
      Set<ComparedValue> equal = 2L * length <= maxElements ? find(before, after) : null;
      return equal != null && equal.size() == 2 * length;
    }
    for (int i = 0; i < length; i++) {
      if (!before.children[i].name.equals(after.children[i].name)
          || !areEqual(before.children[i], after.children[i])) {
        return false;
      }
    }
    return true;
  }
}
