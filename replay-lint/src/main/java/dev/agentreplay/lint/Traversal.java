package dev.agentreplay.lint;

import dev.agentreplay.lint.code.CallSite;
import dev.agentreplay.lint.code.ClassCode;
import dev.agentreplay.lint.code.ClassIndex;
import dev.agentreplay.lint.code.ClassInfo;
import dev.agentreplay.lint.code.CodeStore;
import dev.agentreplay.lint.code.Hierarchy.Resolved;
import dev.agentreplay.lint.code.MethodRef;
import dev.agentreplay.lint.code.MethodSummary;
import dev.agentreplay.lint.code.Origin;
import dev.agentreplay.lint.code.Verdicts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Walks from the entry points through the calls, the shortest ways first, and judges each call on
 * them. A method is visited again if a way leads to it on which less is suppressed.
 */
final class Traversal {

  private final ClassIndex index;
  private final CodeStore code;
  private final Verdicts verdicts;
  private final Dispatch dispatch;
  private final Leaks leaks;
  private final Allowances allowances;
  private final FoundCalls found;
  private final Deque<Visit> pending = new ArrayDeque<>();
  private final Map<MethodRef, List<BitSet>> visited = new HashMap<>();

  /**
   * A method on a way.
   *
   * @param method the method
   * @param suppressions the suppressions of the way to it
   * @param caller the visit of the caller; null for an entry point
   * @param line the line of the call in the caller
   */
  record Visit(Resolved method, BitSet suppressions, @Nullable Visit caller, int line) {}

  Traversal(
      ClassIndex index,
      CodeStore code,
      Verdicts verdicts,
      Dispatch dispatch,
      Allowances allowances) {
    this.index = index;
    this.code = code;
    this.verdicts = verdicts;
    this.dispatch = dispatch;
    this.leaks = new Leaks(verdicts, dispatch, code);
    this.allowances = allowances;
    this.found = new FoundCalls(code, allowances);
  }

  FoundCalls found() {
    return found;
  }

  int reached() {
    return visited.size();
  }

  void run(Iterable<Resolved> entries) {
    for (Resolved entry : entries) {
      reach(entry, new BitSet(), null, CallSite.NO_LINE);
    }
    while (!pending.isEmpty()) {
      visit(pending.remove());
    }
  }

  private void reach(Resolved method, BitSet before, @Nullable Visit caller, int line) {
    MethodRef ref = method.ref();
    BitSet suppressions = allowances.in(ref, before);
    List<BitSet> known = visited.computeIfAbsent(ref, key -> new ArrayList<>(1));
    for (BitSet earlier : known) {
      BitSet fewer = (BitSet) earlier.clone();
      fewer.andNot(suppressions);
      if (fewer.isEmpty()) {
        return; // everything that is not suppressed here was not suppressed then
      }
    }
    known.add(suppressions);
    pending.add(new Visit(method, suppressions, caller, line));
  }

  private void visit(Visit visit) {
    Resolved method = visit.method();
    int first =
        code.of(method.type()).line(method.method().name(), method.method().descriptor());
    initialize(method.type(), visit, first);
    MethodSummary summary = code.method(method);
    if (summary == null) {
      return;
    }
    for (CallSite call : summary.calls()) {
      call(call, call.line(), visit);
    }
    summary.creations().forEach((position, creation) -> {
      if (!leaks.leaks(summary, position)) {
        return;
      }
      CallSite body = creation.body();
      if (body != null) {
        call(body, creation.line(), visit);
      } else {
        dispatch
            .callbacks(creation.type())
            .forEach(target -> reach(target, visit.suppressions(), visit, creation.line()));
      }
    });
    List<Resolved> callbacks = method.method().isStatic() || summary.receiver().isEmpty()
        ? List.of()
        : dispatch.callbacksOfReceiver(method);
    if (!callbacks.isEmpty()) {
      leaks
          .ofReceiver(method, summary, first)
          .ifPresent(line ->
              callbacks.forEach(target -> reach(target, visit.suppressions(), visit, line)));
    }
    summary.initialized().forEach((name, line) -> {
      ClassInfo type = index.find(name);
      if (type != null) {
        initialize(type, visit, line);
      }
    });
  }

  private void call(CallSite call, int line, Visit visit) {
    Verdicts.Verdict verdict = verdicts.of(call);
    if (verdict != null) {
      if (verdict.isReport()) {
        if (isOverridden(verdict, call)) {
          follow(call, line, visit);
        } else {
          found.add(verdict, line, visit);
        }
      }
      return;
    }
    String source = unordered(call.order());
    if (source != null) {
      found.addUnordered(source, call, line, visit);
    }
    follow(call, line, visit);
  }

  /** Whether a rule for inherited methods meets a class whose scanned subclasses override them. */
  private boolean isOverridden(Verdicts.Verdict verdict, CallSite call) {
    return verdict.rule().qualifier() != null && !dispatch.targets(call).isEmpty();
  }

  private void follow(CallSite call, int line, Visit visit) {
    for (Resolved target : dispatch.targets(call)) {
      reach(target, visit.suppressions(), visit, line);
    }
  }

  private void initialize(ClassInfo type, Visit visit, int line) {
    for (ClassInfo next = type; next != null && next.descended(); ) {
      ClassInfo.Method initializer = next.method(MethodRef.CLINIT, "()V");
      if (initializer != null) {
        reach(new Resolved(next, initializer), visit.suppressions(), visit, line);
      }
      next = next.superName() == null ? null : index.find(next.superName());
    }
  }

  /** The source of an order that is not specified, the first by name; null if there is none. */
  private @Nullable String unordered(Set<Origin> order) {
    TreeSet<String> sources = new TreeSet<>();
    for (Origin origin : order) {
      String source = source(origin);
      if (source != null) {
        sources.add(source);
      }
    }
    return sources.isEmpty() ? null : sources.first();
  }

  private @Nullable String source(Origin origin) {
    if (origin instanceof Origin.Unordered unordered) {
      return unordered.source();
    } else if (origin instanceof Origin.FieldValue field) {
      return ofField(field);
    } else if (origin instanceof Origin.Filled filled) {
      return isSorted(filled.field()) ? null : source(filled.order());
    } else if (origin instanceof Origin.OfMap map) {
      return source(map.order());
    }
    return null;
  }

  private boolean isSorted(Origin.FieldValue field) {
    ClassInfo type = index.find(field.owner());
    Set<Origin> values = type == null || !type.descended()
        ? Set.of()
        : code.of(type).field(field.owner(), field.name());
    return values.equals(Set.of(new Origin.Ordered(true)));
  }

  /** A field has no order if each value that is assigned to it has none. */
  private @Nullable String ofField(Origin.FieldValue field) {
    ClassInfo type = index.find(field.owner());
    if (type == null || !type.descended()) {
      return null;
    }
    ClassCode declaring = code.of(type);
    String source = null;
    for (Origin origin : declaring.field(field.owner(), field.name())) {
      if (!(origin instanceof Origin.Unordered unordered)) {
        return null;
      }
      boolean isFirst = source == null || unordered.source().compareTo(source) < 0;
      source = isFirst ? unordered.source() : source;
    }
    return source;
  }
}
