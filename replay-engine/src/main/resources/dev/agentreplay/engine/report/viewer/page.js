/** A pattern that matches a text, regardless of case. */
function literal(text) {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "i");
}

/** Switches between the light and the dark colors. */
function switchTheme() {
  const root = document.documentElement;
  const dark =
    root.dataset.theme === undefined
      ? matchMedia("(prefers-color-scheme: dark)").matches
      : root.dataset.theme === "dark";
  root.dataset.theme = dark ? "light" : "dark";
}

/** Moves the focus to an element if the one that had it is no longer shown. */
function keepFocus(had, target) {
  if (had && !had.checkVisibility({ visibilityProperty: true })) {
    target.focus();
  }
}

/** Shows a tab of the pane, and on a narrow screen the pane. */
function showTab(name, show = true) {
  const isDetails = name === "details";
  byId("overview").hidden = isDetails;
  byId("details").hidden = !isDetails;
  byId("copy").hidden = !isDetails;
  byId("show-overview").setAttribute("aria-pressed", String(!isDetails));
  byId("show-details").setAttribute("aria-pressed", String(isDetails));
  byId("pane").classList.toggle("open", show);
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    say("Link copied");
  } catch (refused) {
    say(location.href); // the user can copy it from the message
  }
}

let saying;

/** Shows a message for some seconds. */
function say(text) {
  const said = byId("said");
  said.replaceChildren();
  put(said, text);
  said.classList.add("shown");
  clearTimeout(saying);
  saying = setTimeout(() => said.classList.remove("shown"), 6000);
}

/** A number with the words for what it counts. */
function figure(value, label, state = "") {
  return el("div.figure" + (state && "." + state), {}, el("b", {}, value), el("span", {}, label));
}

/** A bar that is filled to a part, from 0 to 1. */
function gauge(part) {
  const bar = el("i");
  bar.style.width = part * 100 + "%";
  return el("div.gauge", { "aria-hidden": "true" }, bar);
}

/** Replaces what is printed; its buttons are printed as their texts. */
function showPaper(content) {
  const paper = byId("paper");
  paper.replaceChildren();
  fill(paper, content);
  for (const button of paper.querySelectorAll("button")) {
    button.replaceWith(button.textContent);
  }
}
