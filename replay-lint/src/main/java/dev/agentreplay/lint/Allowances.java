package dev.agentreplay.lint;

import dev.agentreplay.lint.code.ClassIndex;
import dev.agentreplay.lint.code.ClassInfo;
import dev.agentreplay.lint.code.ClassInfo.Allowance;
import dev.agentreplay.lint.code.ClassInfo.Method;
import dev.agentreplay.lint.code.MethodRef;
import dev.agentreplay.lint.code.ReadProblem;
import dev.agentreplay.lint.code.ReadProblem.Kind;
import dev.agentreplay.lint.pattern.Category;
import dev.agentreplay.lint.pattern.MemberPattern;
import dev.agentreplay.lint.pattern.Suppression;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The suppressions of files and annotations, and which of them were used. */
final class Allowances {

  private final List<Suppression> all;
  private final int files;
  private final BitSet used = new BitSet();
  private final Map<MethodRef, BitSet> byMethod = new HashMap<>();

  Allowances(List<Suppression> suppressions, ClassIndex index) {
    files = suppressions.size();
    all = new ArrayList<>(suppressions);
    for (ClassInfo type : index.scanned()) {
      for (Allowance allowance : type.allowances()) {
        MemberPattern location = location(type, allowance.method());
        try {
          all.add(Suppression.ofAnnotation(location, allowance.of(), allowance.reason()));
        } catch (IllegalArgumentException e) {
          index
              .problems()
              .add(new ReadProblem(
                  location.toString(),
                  Kind.INVALID_SUPPRESSION,
                  "@AllowedNondeterminism: " + e.getMessage()));
        }
      }
    }
  }

  private static MemberPattern location(ClassInfo type, @Nullable Method method) {
    return method == null
        ? MemberPattern.ofClass(type.name())
        : MemberPattern.ofMethod(type.name(), method.name(), method.descriptor());
  }

  /** The suppressions of a method, with those of the methods on the way to it. */
  BitSet in(MethodRef method, BitSet before) {
    if (all.isEmpty()) {
      return before;
    }
    BitSet own = byMethod.computeIfAbsent(method, this::find);
    if (own.isEmpty()) {
      return before;
    }
    BitSet both = (BitSet) before.clone();
    both.or(own);
    return both;
  }

  private BitSet find(MethodRef method) {
    BitSet found = new BitSet();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).location().matches(method.owner(), method.name(), method.descriptor())) {
        found.set(i);
      }
    }
    return found;
  }

  /** The first of the suppressions that covers a call, which is then used; null if none does. */
  @Nullable
  Suppression covering(BitSet suppressions, Category category, MethodRef api) {
    Suppression first = null;
    for (int i = suppressions.nextSetBit(0); i >= 0; i = suppressions.nextSetBit(i + 1)) {
      Suppression suppression = all.get(i);
      if (suppression.covers(category, api.owner(), api.name(), api.descriptor())) {
        used.set(i);
        first = first == null ? suppression : first;
      }
    }
    return first;
  }

  /**
   * The suppressions that cover nothing, in the order of files and classes.
   *
   * @param onlyMet whether annotations of methods that were not reached are left out
   */
  List<Suppression> unused(boolean onlyMet) {
    BitSet met = new BitSet();
    met.set(0, files);
    byMethod.values().forEach(met::or);
    List<Suppression> unused = new ArrayList<>();
    for (int i = used.nextClearBit(0); i < all.size(); i = used.nextClearBit(i + 1)) {
      if (!onlyMet || met.get(i)) {
        unused.add(all.get(i));
      }
    }
    return unused;
  }
}
