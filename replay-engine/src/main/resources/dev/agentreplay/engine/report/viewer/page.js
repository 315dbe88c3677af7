
/** A pattern that matches a text, regardless of case. */
function literal(text) {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "i");
}

/** Switches between the light and the dark colors. */
function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme === undefined
    ? matchMedia("(prefers-color-scheme: dark)").matches : root.dataset.theme === "dark";
  root.dataset.theme = dark ? "light" : "dark";
}

/** Moves the focus to an element if the one that had it is no longer shown. */
function keepFocus(had, target) {
  if (had && !had.checkVisibility({ visibilityProperty: true })) {
    target.focus();
  }
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
