/**
 * Connects the controls that all pages have with the methods of a page: filter, clear, key, follow,
 * print.
 *
 * @param rows the element with the rows, which gets the focus when the search is submitted
 * @param clicks the actions of further buttons, by id
 * @param typed the ids of the fields that filter with every character
 */
function connect(page, rows, clicks, typed = ["query"]) {
  let waiting = null;
  for (const id of typed) {
    byId(id).addEventListener("input", () => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => page.filter());
    });
  }
  byId("filter").addEventListener("change", () => page.filter());
  byId("filter").addEventListener("submit", (event) => {
    event.preventDefault();
    rows.focus();
  });
  const actions = {
    clear: () => page.clear(),
    help: () => byId("keys").showModal(),
    theme: switchTheme,
    ...clicks,
  };
  for (const [id, action] of Object.entries(actions)) {
    byId(id).addEventListener("click", action);
  }
  document.addEventListener("keydown", (event) => page.key(event));
  window.addEventListener("hashchange", () => page.follow());
  window.addEventListener("beforeprint", () => page.print());
  window.addEventListener("afterprint", () => byId("paper")?.replaceChildren());
  matchMedia("print").addEventListener("change", (media) => media.matches && page.print());
}

/**
 * Runs the action of a key, except in a field. "/" goes to the search; Esc clears or leaves a
 * field, or closes what is open in the page; "?" shows the keys.
 */
function press(event, actions, page, rows) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) {
    return;
  }
  const query = byId("query");
  const typing = event.target.matches("input[type=search], input[type=text], select");
  const all = {
    "?": () => byId("keys").showModal(),
    "/": () => {
      query.focus();
      query.select();
    },
    ...actions,
  };
  if (event.key === "Escape" && event.target === query && query.value) {
    query.value = "";
    page.filter();
  } else if (event.key === "Escape" && typing) {
    rows.focus();
  } else if (event.key === "Escape") {
    page.close();
  } else if (!typing && Object.hasOwn(all, event.key)) {
    event.preventDefault();
    all[event.key]();
  }
}

/**
 * The keys that go through rows, if these have the focus: to the next ones, by pages, to the ends.
 */
function rowKeys(step, page) {
  return {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    PageDown: () => step(page()),
    PageUp: () => step(-page()),
    Home: () => step(-Infinity),
    End: () => step(Infinity),
  };
}

/**
 * Shows or hides what is below a row; from a row without, goes to the one above it.
 *
 * @param shown whether it is to be shown
 * @param isFolded whether what is below the row is hidden; undefined if there is nothing
 */
function nestRow(row, shown, isFolded, fold, open) {
  if (row && isFolded === shown) {
    fold(row);
  } else if (row && !shown && row.parent) {
    open(row.parent);
  }
}

/** The row that is a number of rows from a place, or the last one in its direction. */
function rowFrom(rows, place, by) {
  const from = place ?? (by > 0 ? -1 : rows.length);
  return rows[Math.max(0, Math.min(rows.length - 1, from + by))] ?? null;
}

/** The next row in a direction that passes a test; null, and a message, if there is none. */
function nextRow(rows, place, by, test) {
  let next = place ?? (by > 0 ? -1 : rows.length);
  do {
    next += by;
  } while (next >= 0 && next < rows.length && !test(rows[next]));
  if (rows[next] === undefined) {
    say(by > 0 ? "No more below" : "No more above");
    return null;
  }
  return rows[next];
}

/** A table for printing, with a number of rows at most. */
function paperTable(heads, rows, most, cellsOf) {
  const row = (name, cells) =>
    el(
      "tr",
      {},
      cells.map((cell) => el(name, {}, cell)),
    );
  const body = rows.slice(0, most).map((each) => row("td", cellsOf(each)));
  const more = rows.length - most;
  return [
    el("table", {}, el("thead", {}, row("th", heads)), el("tbody", {}, body)),
    more > 0 ? el("p", {}, `and ${number.format(more)} more`) : null,
  ];
}
