package dev.agentreplay.engine.diff.value;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Groups values such that any two that are equal are in one group. Two texts may be equal by their
 * normalized texts or by the values that they hold, so texts that share either are in one group,
 * together with those that share either with one of them (union-find).
 */
final class TextGroups {

  private static final int IN_TEXT = 7;

  private final TextForms forms;

  /** The parents of normalized texts and hashes of held values in the trees of the groups. */
  private final Map<Object, Object> parents = new HashMap<>();

  private final IdentityHashMap<ComparedValue, Integer> hashes = new IdentityHashMap<>();

  /** Groups the texts of the arrays. */
  TextGroups(TextForms forms) {
    this.forms = forms;
    for (ComparedValue text : forms.jsonTexts()) {
      Object held = root(hash(Objects.requireNonNull(forms.inside(text)), true));
      parents.put(held, root(forms.textDigest(text)));
    }
  }

  private Object root(Object key) {
    Object root = key;
    for (Object parent = parents.get(root);
        parent != null && !parent.equals(root);
        parent = parents.get(root)) {
      root = parent;
    }
    if (root != key) {
      parents.put(key, root);
    }
    return root;
  }

  /** Returns a hash that is the same for all equal values. */
  int hash(ComparedValue value) {
    Integer known = hashes.get(value);
    if (known == null) {
      known = hash(value, false);
      hashes.put(value, known);
    }
    return known;
  }

  /**
   * A hash that is the same for all equal values; if it is of a value in a text, also while texts
   * are being grouped, because it is the same for all texts that hold JSON or equal one that does.
   */
  private int hash(ComparedValue value, boolean isInText) {
    if (value.isScalar() || value.isParsed()) {
      ByteBuffer digest = forms.textDigest(value);
      return isInText && forms.mayHoldJson(digest) ? IN_TEXT : root(digest).hashCode();
    }
    int sum = value.isObject() ? 1 : 2;
    for (ComparedValue child : value.children) {
      sum += child.name.hashCode() ^ 31 * (isInText ? hash(child, true) : hash(child));
    }
    return sum;
  }
}
