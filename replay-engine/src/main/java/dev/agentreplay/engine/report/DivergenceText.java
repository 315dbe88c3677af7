package dev.agentreplay.engine.report;

import dev.agentreplay.engine.diff.AlignedStep;
import dev.agentreplay.engine.diff.AlignedStep.Relation;
import dev.agentreplay.engine.diff.Divergence;
import dev.agentreplay.engine.diff.DivergenceKind;
import dev.agentreplay.engine.diff.DivergenceSeverity;
import dev.agentreplay.engine.diff.EventChange;
import dev.agentreplay.engine.diff.SessionDiff;
import dev.agentreplay.engine.diff.Sides;
import dev.agentreplay.engine.diff.Step;
import dev.agentreplay.engine.diff.ValueChange;
import dev.agentreplay.engine.diff.ValueChange.Withheld;
import dev.agentreplay.engine.diff.rule.Closeness;
import dev.agentreplay.engine.report.ChangeExcerpt.Limits;
import dev.agentreplay.engine.report.ChangeExcerpt.Segment;
import dev.agentreplay.engine.report.ChangeExcerpt.Sign;
import dev.agentreplay.model.json.JsonValue;
import dev.agentreplay.model.text.PlainText;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Renders the divergences of a comparison as text. */
final class DivergenceText {

  private static final String INDENT = "     ";
  private static final int MAX_PLACES = 3;
  private static final int MAX_PLACES_IN_FULL = 50;
  private static final int MAX_LINES = 12;
  private static final int MAX_LINES_IN_FULL = 200;

  private final TextOptions options;
  private final DivergenceContext context;
  private final Limits limits;
  private final IntUnaryOperator number;
  private final StringBuilder out = new StringBuilder();

  /** The numbers of the divergences that do not matter, such as steps that are not compared. */
  private final Set<Integer> notCompared;

  private @Nullable JsonValue lastBefore;
  private @Nullable JsonValue lastAfter;
  private ValueChange.@Nullable Detail lastDetail;
  private @Nullable ChangeExcerpt lastExcerpt;

  DivergenceText(TextOptions options, SessionDiff diff) {
    this(options, diff, IntUnaryOperator.identity());
  }

  /**
   * The divergences of a comparison in a report with numbers of its own.
   *
   * @param number returns the number from 0 in the report for that in the comparison
   */
  DivergenceText(TextOptions options, SessionDiff diff, IntUnaryOperator number) {
    this.number = number;
    this.options = options;
    this.context = new DivergenceContext(diff);
    this.notCompared = diff.divergences().stream()
        .filter(divergence -> divergence.severity() == DivergenceSeverity.NONE)
        .map(Divergence::number)
        .collect(Collectors.toSet());
    this.limits = new Limits(
        options.full() ? MAX_LINES_IN_FULL : MAX_LINES, options.width() - INDENT.length() - 2);
  }

  private TextRow row() {
    return new TextRow(options);
  }

  private TextRow head(Divergence divergence, String kind) {
    Paint paint = Paint.of(divergence.severity());
    int shown = number.applyAsInt(divergence.number()) + 1;
    return row()
        .add(Paint.BOLD, shown > 0 ? "%3d. ".formatted(shown) : INDENT) // it may not be listed
        .add(paint, kind)
        .add("  ")
        .add(PlainText.fit(context.lane(divergence.step()), options.width() / 4))
        .add(Paint.NAME, name(divergence))
        .add("  ")
        .add(paint, divergence.severity().id())
        .add(", " + Wording.role(divergence, number));
  }

  private String name(Divergence divergence) {
    String name = PlainText.fit(divergence.step().name(), options.width() / 3);
    Step right = divergence.right();
    return divergence.kind() != DivergenceKind.TOOL || right == null
        ? name
        : name + " → " + PlainText.fit(right.name(), options.width() / 3);
  }

  /** Renders a divergence on one line. */
  String line(Divergence divergence) {
    return line(divergence, divergence.kind().id());
  }

  /** Renders a divergence on one line, with a kind of its own. */
  String line(Divergence divergence, String kind) {
    TextRow row = head(divergence, kind);
    if (divergence.left() != null) {
      row.add(Paint.REMOVED, "  - ").add(shortPlace(divergence.left()));
    }
    if (divergence.right() != null) {
      row.add(Paint.ADDED, "  + ").add(shortPlace(divergence.right()));
    }
    ValueChange first = divergence.firstChange();
    String where = first == null ? divergence.step().summary() : first.pointer();
    return row.left() < 2 + Math.min(where.length(), 8)
        ? row.toString()
        : row.add(Paint.DIM, "  " + where).toString();
  }

  private static String shortPlace(Step step) {
    return step.call() == null ? "line " + step.line() : "#" + step.call();
  }

  /** Renders a divergence with its places, its neighboring steps and its differences. */
  String block(Divergence divergence) {
    return block(divergence, divergence.kind().id());
  }

  /** Renders a divergence as a block, with a kind of its own. */
  String block(Divergence divergence, String kind) {
    out.setLength(0);
    TextRow head = head(divergence, kind);
    String followers = Wording.followers(divergence);
    boolean fits = head.left() >= followers.length() + 2;
    out.append(fits && !followers.isEmpty() ? head.add(Paint.BOLD, "; " + followers) : head);
    if (!fits) {
      out.append(row().add(INDENT).add(Paint.BOLD, followers));
    }
    TextRow places = row().add(INDENT);
    if (divergence.left() != null) {
      places.add(Paint.REMOVED, "- ").add(Wording.place(divergence, true, "call #") + "   ");
    }
    if (divergence.right() != null) {
      places.add(Paint.ADDED, "+ ").add(Wording.place(divergence, false, "call #") + "   ");
    }
    out.append(places.add(Paint.DIM, "rule: " + divergence.rating().rule()));
    context.before(divergence).forEach(this::neighbor);
    List<ValueChange> values = divergence.values();
    if (values.isEmpty()) {
      excerpt(ChangeExcerpt.ofSteps(divergence, limits));
      if (options.full()) {
        divergence.changes().forEach(this::event);
      }
    } else {
      places(values);
    }
    // the step after it is of interest only where the sessions are aligned again
    context.after(divergence).stream()
        .limit(1)
        .filter(pair -> pair.relation() == Relation.MATCHED)
        .forEach(this::neighbor);
    return out.toString();
  }

  private void neighbor(AlignedStep pair) {
    Integer divergence = pair.divergence();
    boolean isCompared = divergence == null || !notCompared.contains(divergence);
    char sign =
        switch (isCompared ? pair.relation() : Relation.MATCHED) {
          case MATCHED -> ' ';
          case CHANGED, MOVED -> '~';
          case MISSING -> '-';
          case ADDED -> '+';
        };
    out.append(row().add(Paint.DIM, INDENT + sign + " " + Wording.line(pair.step())));
  }

  /** Adds an event that only one session has. */
  private void event(EventChange change) {
    if (!(change.sides() instanceof Sides.Both)) {
      excerpt(ChangeExcerpt.ofWhole(change.sides().map(EventChange.Event::json), limits));
    }
  }

  private void places(List<ValueChange> values) {
    int shown = Math.min(values.size(), options.full() ? MAX_PLACES_IN_FULL : MAX_PLACES);
    for (ValueChange value : values.subList(0, shown)) {
      TextRow row = row().add(INDENT + "at ").add(Paint.BOLD, value.pointer());
      Closeness closeness = value.closeness();
      if (closeness != null) {
        row.add("  " + Wording.closeness(closeness));
      }
      if (value.detail() instanceof Withheld withheld) {
        row.add("  " + Wording.withheld(withheld));
      }
      if (FileWording.areTexts(value)) {
        row.add(Paint.DIM, "  the contents of the file");
      }
      String modes = FileWording.modes(value);
      out.append(modes == null ? row : row.add("  " + modes));
      if (modes == null && hasExcerpt(value)) {
        excerpt(of(value));
      }
    }
    if (values.size() > shown) {
      out.append(row()
          .add(INDENT
              + "and at %s more: "
                  .formatted(PlainText.count(values.size() - (long) shown, "place")))
          .add(pointers(values.subList(shown, values.size()))));
    }
  }

  /** Whether the values are shown: if a copy withholds one, there is nothing to compare it with. */
  private static boolean hasExcerpt(ValueChange value) {
    return !(value.detail() instanceof Withheld withheld) || withheld.isReplaced();
  }

  /** The excerpt of a change; the previous excerpt if that was of the same values. */
  private ChangeExcerpt of(ValueChange value) {
    ChangeExcerpt excerpt = lastExcerpt;
    if (excerpt == null
        || value.before() != lastBefore
        || value.after() != lastAfter
        || !Objects.equals(value.detail(), lastDetail)) {
      excerpt = ChangeExcerpt.of(value, limits);
      lastExcerpt = excerpt;
      lastBefore = value.before();
      lastAfter = value.after();
      lastDetail = value.detail();
    }
    return excerpt;
  }

  private static String pointers(List<ValueChange> values) {
    return String.join(
        ", ", values.stream().map(ValueChange::pointer).distinct().limit(10).toList());
  }

  private void excerpt(ChangeExcerpt excerpt) {
    for (ChangeExcerpt.Line line : excerpt.lines()) {
      TextRow row = row().add(INDENT);
      switch (line.sign()) {
        case SAME -> row.add("  ");
        case NOTE -> row.add(Paint.DIM, "… ");
        case REMOVED -> row.add(Paint.REMOVED, "- ");
        case ADDED -> row.add(Paint.ADDED, "+ ");
      }
      line.segments().forEach(segment -> row.add(paint(line.sign(), segment), segment.text()));
      out.append(row);
    }
  }

  private static Paint paint(Sign sign, Segment segment) {
    return switch (sign) {
      case SAME -> Paint.PLAIN;
      case NOTE -> Paint.DIM;
      case REMOVED -> segment.changed() ? Paint.REMOVED_PART : Paint.REMOVED;
      case ADDED -> segment.changed() ? Paint.ADDED_PART : Paint.ADDED;
    };
  }
}
