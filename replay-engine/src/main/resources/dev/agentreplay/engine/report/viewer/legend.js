/** The meanings of the states of answers, in the order of the legend. */
const ANSWERS = {
  served: "as recorded",
  changed: "as recorded, with the changes of the fork",
  answered: "from a different recording",
  executed: "by a program or a model",
  missed: "nothing in the recording answers it",
  refused: "by the policy, or because nothing can execute it",
  "timed out": "not in time",
  "not executed": "the call could not be executed",
  "not requested": "recorded, but not requested again",
};

/** The meanings of the rungs by which requests are matched with recorded ones, in their order. */
const MATCHES = {
  exact: "the next request of the recording, and equal",
  out_of_order: "equal to one at a different place",
  rules: "equal according to the comparison rules",
  delta: "by the part of the prompt that is new",
  position: "by the place alone",
  none: "with no recorded request",
};

/** The value of the filter for the answers to requests that were not matched exactly. */
const NOT_EXACT = "match:not exact";

/** Whether an answer is one that a value of the filter selects. */
function isAnswer(answer, value) {
  if (!value.startsWith("match:")) {
    return answer.state === value;
  }
  return value === NOT_EXACT
    ? answer.match !== undefined && answer.match !== "exact"
    : answer.match === value.slice("match:".length);
}

/** The counts of the answers of a replay, by their states and by their matches, which filter. */
class AnswerLegend {
  /** @param onToggle shows only the answers with a value of the filter, or all */
  constructor(model, onToggle) {
    this.onToggle = onToggle;
    this.answers = model.rows.map((row) => answerOf(model, row)).filter(Boolean);
    this.states = this.counted(ANSWERS, "state", "");
    this.matches = this.counted(MATCHES, "match", "match:");
    const inexact = this.answers.filter((answer) => isAnswer(answer, NOT_EXACT)).length;
    this.inexact = { value: NOT_EXACT, name: "not exact", n: inexact };
    this.buttons = new Map();
  }

  counted(meanings, member, prefix) {
    const counts = new Map(Object.keys(meanings).map((name) => [name, 0]));
    for (const { [member]: name } of this.answers) {
      if (name !== undefined) {
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
    return [...counts]
      .filter(([, n]) => n > 0)
      .map(([name, n]) => ({
        value: prefix + name,
        name: name.replaceAll("_", " "),
        n,
        meaning: meanings[name] ?? "",
      }));
  }

  get isEmpty() {
    return this.answers.length === 0;
  }

  /** The values of the filter, with their labels. */
  options() {
    const label = ({ value, name, n }, before = "") => [
      value,
      `${before}${line(name, 60)} (${number.format(n)})`,
    ];
    return [
      ...this.states.map((each) => label(each)),
      ...(this.inexact.n > 0 ? [label(this.inexact, "match: ")] : []),
      ...this.matches.map((each) => label(each, "match: ")),
    ];
  }

  elements() {
    this.buttons.clear();
    const list = (title, all) =>
      all.length === 0
        ? null
        : [
            el("h3", {}, title),
            el(
              "ul.answers",
              {},
              all.map((each) => el("li", {}, this.button(each), el("span", {}, each.meaning))),
            ),
          ];
    return [
      list("How requests were answered", this.states),
      list("How they were matched with recorded requests", this.matches),
    ];
  }

  button({ value, name, n }) {
    const made = el(
      "button.answer-button",
      { type: "button", "aria-pressed": "false", click: () => this.onToggle(value) },
      el("b", {}, number.format(n)),
      " ",
      line(name, 60),
    );
    this.buttons.set(value, made);
    return made;
  }

  /** Marks the value that the filter selects. */
  press(value) {
    this.buttons.forEach((button, each) =>
      button.setAttribute("aria-pressed", String(each === value)),
    );
  }
}
