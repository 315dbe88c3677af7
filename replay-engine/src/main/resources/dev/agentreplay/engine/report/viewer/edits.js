/** The members of an edit of a text, in the words of different tools: before and after. */
const EDITED = [
  ["old_string", "new_string"],
  ["old_str", "new_str"],
  ["old_text", "new_text"],
  ["oldText", "newText"],
  ["oldString", "newString"],
  ["search", "replace"],
  ["find", "replace"],
  ["original", "replacement"],
];

/** The members with the path of an edited file. */
const EDITED_PATHS = [
  "file_path",
  "path",
  "filePath",
  "filename",
  "file_name",
  "file",
  "target_file",
  "notebook_path",
];

/** The members with several edits of a file, with a patch, and with the text of a written file. */
const EDIT_LISTS = ["edits", "replacements", "changes"];
const PATCHES = ["patch", "diff", "patch_text", "patchText", "unified_diff", "input", "code_edit"];
const WRITTEN = ["file_text", "content", "contents", "new_source"];

/** The members with a command, which is an edit only if it applies a patch. */
const COMMANDS = ["cmd", "command"];

/** The words of the names of tools that write files. */
const WRITES = /^(?:over|re|multi|file|fs)?(?:write|create|save|edit|put$|putfile)/;

/** A line within a patch that begins with none of the words of Codex. */
const PATCH_LINE = new RegExp(
  "^(?:[-+ \\\\]|@@|diff |index |new file|deleted file|old mode|new mode|similarity" +
    "|dissimilarity|rename |copy |Binary |GIT binary|$)",
);

const PATCH = /^(?:diff --git |\*\*\* Begin Patch|--- .*\n\+\+\+ |@@ )/m;

/** The number of equal lines that are shown before and after a change. */
const NEAR_LINES = 3;

/** The number of lines of an edit that are shown; a button shows the others. */
const MOST_EDIT_LINES = 400;

/** The changes of texts that the parameters of a tool call ask for. */
class Edits {
  constructor(path, shown, rest, missing = []) {
    this.path = path;
    this.shown = shown;
    this.rest = rest; // the other parameters
    this.missing = missing; // notes on what is not in this file
  }

  /**
   * The edits in the parameters of a call; null if they have none. Of a text that is cut, the
   * whole size is given.
   */
  static of(params, tool = null, cut = undefined) {
    if (typeof params === "string") {
      const shown = patchIn(params, cut);
      return shown ? new Edits(null, [shown], new Map()) : null;
    } else if (!(params instanceof Map)) {
      return null;
    }
    const rest = keepCuts(params, new Map(params));
    const missing = [missingPart(params, "parameter")];
    const take = (name) => {
      const value = rest.get(name);
      rest.delete(name);
      return value;
    };
    const path = pathIn(params);
    const one = editIn(params);
    const list = EDIT_LISTS.find(
      (name) =>
        Array.isArray(params.get(name)) &&
        params.get(name).length > 0 &&
        params.get(name).every(editIn),
    );
    const patch = [
      ...PATCHES,
      ...COMMANDS.filter((name) =>
        [params.get(name)]
          .flat()
          .some((text) => typeof text === "string" && text.includes("apply_patch")),
      ),
    ].find((name) => patchIn(params.get(name)) !== null);
    let shown = null;
    if (one) {
      shown = [one];
      one.names.forEach(take);
    } else if (list) {
      missing.push(missingPart(params.get(list), "edit"));
      shown = take(list).map((each) => ({ ...editIn(each), others: othersOf(each) }));
    } else if (patch) {
      shown = [patchIn(take(patch), cutOf(params, patch))];
    } else if (path && typeof params.get("insert_line")?.text === "string") {
      const name = ["insert_text", "new_str", "text"].find(
        (each) => typeof params.get(each) === "string",
      );
      shown = name && [
        {
          before: "",
          after: take(name),
          after_line: take("insert_line").text,
          cuts: cutOf(params, name) !== undefined,
        },
      ];
    } else if (path && isWriter(tool)) {
      const name = WRITTEN.find((each) => typeof params.get(each) === "string");
      shown = name && [{ written: params.get(name), cut: cutOf(params, name) }];
      take(name);
    }
    if (!shown) {
      return null;
    }
    path && rest.delete(path.name);
    return new Edits(path?.value ?? null, shown, rest, missing.filter(Boolean));
  }

  /** What a call runs besides the patch that it applies, as text; empty if it is only a patch. */
  get command() {
    const [{ lead = [] }] = this.shown;
    const stated = COMMANDS.map((name) => this.rest.get(name)).find(
      (each) => Array.isArray(each) || (typeof each === "string" && /\s/.test(each.trim())),
    );
    return [...lead, ...(stated === undefined ? [] : [stated])]
      .map((each) => (typeof each === "string" ? each.trim() : brief(each)))
      .join(" ");
  }

  /** The path of the edited file; null if the parameters do not state it. */
  get file() {
    return this.path ?? this.shown[0].path ?? patchedFile(this.shown[0].patch) ?? null;
  }

  elements() {
    return [
      this.path === null ? null : el("p.path", {}, el("code", {}, this.path)),
      this.shown.map((edit, i) => [
        this.shown.length > 1 || (edit.path && edit.path !== this.path)
          ? el(
              "p.about",
              {},
              `edit ${i + 1} of ${this.shown.length}`,
              edit.path ? [": ", el("code", {}, edit.path)] : "",
            )
          : null,
        edit.after_line === undefined ? null : el("p.about", {}, `after line ${edit.after_line}`),
        (edit.lead ?? []).map(besidePatch),
        edit.patch !== undefined
          ? patchLines(edit.patch)
          : edit.written !== undefined
            ? longText(edit.written, { cut: edit.cut, style: "code" })
            : lineDiff(edit.before, edit.after),
        (edit.trail ?? []).map(besidePatch),
        edit.cuts ? el("p.cut", {}, "a part of the texts is not in this file") : null,
        edit.others ? members(edit.others) : null,
      ]),
      members(this.rest),
      this.missing.map((note) => chatPart(note)),
    ];
  }
}

/** The members of an object as trees. */
function members(map) {
  const cuts = cutsIn(map);
  return [
    [...map].slice(0, 100).map(([name, value]) => tree(value, cuts, 1, name, child("", name))),
    map.size > 100
      ? el("p.cut", {}, `${count(map.size - 100, "more member")}, in the line as recorded`)
      : null,
  ];
}

/** The members of one of several edits that are not its texts. */
function othersOf(map) {
  const others = keepCuts(map, new Map(map));
  editIn(map).names.forEach((name) => others.delete(name));
  others.delete(pathIn(map)?.name);
  return others;
}

/** Whether the name of a tool says that it writes a file. */
function isWriter(tool) {
  return (tool ?? "")
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
    .some((word) => WRITES.test(word.toLowerCase()));
}

/** A part of a parameter that is not of its patch, such as a command. */
function besidePatch(value) {
  return typeof value === "string"
    ? longText(value, { style: "code" })
    : tree(value, cutsIn(value), 1);
}

function pathIn(map) {
  const name = EDITED_PATHS.find((each) => typeof map.get(each) === "string");
  return name === undefined ? null : { name, value: map.get(name) };
}

/** The edit of a text that an object describes; null if it describes none. */
function editIn(map) {
  const names =
    map instanceof Map &&
    EDITED.find((pair) => pair.every((name) => typeof map.get(name) === "string"));
  if (!names) {
    return null;
  }
  const [before, after] = names.map((name) => map.get(name));
  return {
    names,
    before,
    after,
    path: pathIn(map)?.value,
    cuts: names.some((name) => cutOf(map, name) !== undefined),
  };
}

/**
 * The patch in a parameter, which is a text or the arguments of a command, with what is before and
 * after it; null if it has none. Of a text that is cut, the whole size is given.
 */
function patchIn(value, cut = undefined) {
  const texts = Array.isArray(value) ? value : [value];
  const at = texts.findIndex((text) => typeof text === "string" && PATCH.test(text));
  if (at < 0) {
    return null;
  }
  const text = texts[at];
  const from = text.search(PATCH);
  const end = from + patchEnd(text.slice(from));
  const isText = (each) => typeof each !== "string" || each.trim() !== "";
  const missing = missingPart(value, "argument");
  return {
    lead: [...texts.slice(0, at), text.slice(0, from)].filter(isText),
    patch: text.slice(from, end),
    trail: [text.slice(end), ...texts.slice(at + 1), ...(missing ? [missing.text] : [])].filter(
      isText,
    ),
    cuts: cut !== undefined || texts.some((each, i) => cutOf(texts, i) !== undefined),
  };
}

/** The length of the patch that a text begins with. */
function patchEnd(text) {
  if (text.startsWith("*** Begin Patch")) {
    const end = /^\*\*\* End Patch.*$/m.exec(text);
    return end ? end.index + "*** End Patch".length : text.length;
  }
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf("\n", at) + 1 || text.length;
    if (!PATCH_LINE.test(text.slice(at, next).replace(/\r?\n$/, ""))) {
      break;
    }
    at = next;
  }
  return at;
}

/** The first file that a patch changes. */
function patchedFile(patch) {
  return patch === undefined
    ? undefined
    : /^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b\/)?)(.+)$/m.exec(patch)?.[1];
}
