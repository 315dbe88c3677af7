
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

/** Runs the action of a key, except in a field; Esc clears or leaves a field, or closes the details. */
function press(event, actions, page, rows) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) {
    return;
  }
  const query = byId("query");
  const typing = event.target.matches("input[type=search], select");
  if (event.key === "Escape" && typing && query.value) {
    query.value = "";
    page.filter();
  } else if (event.key === "Escape" && typing) {
    rows.focus();
  } else if (event.key === "Escape") {
    page.close();
  } else if (!typing && event.key === "/") {
    event.preventDefault();
    query.focus();
    query.select();
  } else if (!typing && Object.hasOwn(actions, event.key)) {
    event.preventDefault();
    actions[event.key]();
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
