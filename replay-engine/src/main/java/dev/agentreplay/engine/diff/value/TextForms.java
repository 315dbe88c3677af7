package dev.agentreplay.engine.diff.value;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The forms of values, which decide whether they are equal. A form consists of its normalized texts
 * and of the values that they hold. Values of one form are equal to exactly the same other values.
 * An instance is for one pairing, in which it parses each text once.
 */
final class TextForms {

  private static final int NO_JSON = 1;

  private final ValueDigests digests;
  private final ValueNormalizer normalizer;
  private final IdentityHashMap<ComparedValue, @Nullable ComparedValue> insides =
      new IdentityHashMap<>();
  private final IdentityHashMap<ComparedValue, ComparedValue> asTexts = new IdentityHashMap<>();
  private final IdentityHashMap<ComparedValue, Integer> forms = new IdentityHashMap<>();
  private final Map<List<Object>, Integer> numbers = new HashMap<>();

  private final List<ComparedValue> jsonTexts = new ArrayList<>();

  /**
   * The kinds of the values in the texts of a digest: a sum of 1 (no JSON), 2 (object), 4 (array).
   */
  private final Map<ByteBuffer, Integer> held = new HashMap<>();

  /** Creates the forms of the values in two arrays. */
  TextForms(
      ComparedValue left, ComparedValue right, ValueDigests digests, ValueNormalizer normalizer) {
    this.digests = digests;
    this.normalizer = normalizer;
    addTexts(left);
    addTexts(right);
  }

  private void addTexts(ComparedValue value) {
    for (ComparedValue child : value.children) {
      addTexts(child);
    }
    if (value.isScalar() || value.isParsed()) {
      ComparedValue inside = inside(value);
      int holds = inside == null ? NO_JSON : inside.isObject() ? 2 : 4;
      held.merge(textDigest(value), holds, (some, others) -> some | others);
      if (inside != null) {
        jsonTexts.add(value);
        addTexts(inside);
      }
    }
  }

  /** The texts that hold JSON, also those in texts. */
  List<ComparedValue> jsonTexts() {
    return jsonTexts;
  }

  /** Whether a text of a digest holds JSON. */
  boolean mayHoldJson(ByteBuffer textDigest) {
    return held.getOrDefault(textDigest, NO_JSON) > NO_JSON;
  }

  /** The value that a text holds, as {@link ValueNormalizer#inside} returns it. */
  @Nullable
  ComparedValue inside(ComparedValue value) {
    if (value.text == null || value.isParsed()) {
      return value.inside();
    }
    if (!insides.containsKey(value)) {
      insides.put(value, normalizer.inside(value));
    }
    return insides.get(value);
  }

  /** A value to be compared as a text, as {@link ValueNormalizer#asText} returns it. */
  ComparedValue asText(ComparedValue value) {
    return value.isParsed() ? asTexts.computeIfAbsent(value, normalizer::asText) : value;
  }

  /** The digest of a scalar, or of a text as it is compared if the values in it are not. */
  ByteBuffer textDigest(ComparedValue scalar) {
    return ByteBuffer.wrap(asText(scalar).digest(digests));
  }

  /** Returns the number of the form of a value. */
  int of(ComparedValue value) {
    Integer known = forms.get(value);
    if (known != null) {
      return known;
    }
    List<Object> parts = new ArrayList<>();
    ComparedValue inside = inside(value);
    if (inside != null) {
      parts.addAll(List.of(value.isParsed(), of(inside)));
      // two values in texts are compared unless one text holds no JSON or a different container
      if (!value.isParsed() || Integer.bitCount(held.getOrDefault(textDigest(value), 0)) > 1) {
        parts.add(textDigest(value));
      }
    } else if (value.isScalar()) {
      parts.add(textDigest(value));
    } else {
      parts.addAll(List.of(value.isObject(), value.unordered != null));
      for (ComparedValue child : value.children) {
        parts.addAll(List.of(child.name, of(child)));
      }
    }
    int form = numbers.computeIfAbsent(parts, next -> numbers.size());
    forms.put(value, form);
    return form;
  }
}
