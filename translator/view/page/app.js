// The page: one function at one stage, with its Python and its C.

const $ = (id) => document.getElementById(id);
const KINDS = ["checks", "allocations", "boxing", "calls"];
const HOMES = {
  STANDARD: "standard library", RLIB: "rpython.rlib", PRIVATE: "rpython.rlib, inside",
  OVERLAY: "built-in functions", TOOLCHAIN: "helpers of the toolchain",
};
const FRONT = new Set(["flow", "annotated", "lowlevel"]);
const SLOW_TO_LAY_OUT = 150;
const SMALLEST = 0.7;

let index, symbols, callers;
let current = { number: -1, stage: 0, detail: null };
let mode;
let pinned = null;

async function start() {
  index = await readIndex();
  symbols = new Map(index.functions.map((each, number) => [each.symbol, number]));
  index.functions.forEach((each, number) => { if (!symbols.has(each.name)) symbols.set(each.name, number); });
  callers = index.functions.map(() => []);
  index.functions.forEach((each, number) => each.calls.forEach((callee) => callers[callee].push(number)));
  $("target").textContent = shortName(index.target);
  mode = index.mode;
  $("target").title = `${index.target}, translated by rpython3 ${index.version}`;
  fillList("");
  listen();
  await follow();
  document.body.dataset.ready = "1";
}

// -- the list of functions

function groupOf(each) {
  if (each.home === "PROGRAM") return each.file < 0 ? "the program" : shortName(index.files[each.file].name);
  return HOMES[each.home];
}

const shortName = (path) => path.split("/").slice(-2).join("/");
const shownName = (each) => each.name.replaceAll(".<locals>.", " › ");
const isOwn = (each) => each.home === "PROGRAM";

function fillList(wanted) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map();
  index.functions.forEach((each, number) => {
    const text = `${each.name} ${each.file < 0 ? "" : index.files[each.file].name}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) return;
    const name = groupOf(each);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(number);
  });
  const made = [...groups].map(([name, numbers]) => {
    const first = index.functions[numbers[0]];
    const closed = !isOwn(first) && !words.length ? "group closed" : "group";
    const heading = element("h3", {}, span("", name), span("", String(numbers.length)));
    const group = element("div", { class: closed }, heading, element("div", {}));
    const fill = () => {
      if (!group.lastChild.firstChild && !group.classList.contains("closed"))
        group.lastChild.append(...numbers.map(entry));
    };
    heading.addEventListener("click", () => { group.classList.toggle("closed"); fill(); markCurrent(); });
    fill();
    return group;
  });
  $("list").replaceChildren(...made);
  if (!made.length) $("list").append(element("p", {}, "no function has that name"));
  markCurrent();
}

function entry(number) {
  const each = index.functions[number];
  const left = KINDS.map((kind) => each.left[kind] || 0).reduce((a, b) => a + b);
  const what = KINDS.map((kind) => `${each.left[kind] || 0} ${kind}`).join(", ");
  return element(
    "a",
    {
      class: each.compiled || !index.compiled ? "function" : "function gone", "data-function": number, href: `#${number}`,
      title: each.compiled ? `${each.size} operations; left: ${what}` : "inlined wherever it is called",
    },
    span("", shownName(each)), element("small", {}, left ? String(left) : ""),
  );
}

function markCurrent() {
  for (const each of document.querySelectorAll(".function"))
    each.classList.toggle("current", Number(each.dataset.function) === current.number);
}

// -- one function

async function follow() {
  const [number, stage] = location.hash.slice(1).split("/").map(Number);
  const known = location.hash.length > 1 && number >= 0 && number < index.functions.length;
  await open(known ? number : Math.max(index.functions.findIndex((each) => isOwn(each) && each.compiled), 0), stage);
}

async function open(number, stage) {
  const changed = number !== current.number;
  const detail = await readFunction(number);
  const last = detail.stages.length - 1;
  current = { number, detail, stage: Number.isInteger(stage) ? Math.min(Math.max(stage, 0), last) : detail.optimised };
  if (changed) {
    pinned = null;
    showHead();
    markCurrent();
    await showSource();
    showC();
    showTable();
  }
  showStage();
}

const go = (number, stage) => {
  location.hash = stage === undefined ? `${number}` : `${number}/${stage}`;
};
const show = () => index.functions[current.number];

function showHead() {
  const each = show();
  document.title = `${each.name} · ${index.target}`;
  $("name").textContent = shownName(each);
  $("signature").textContent = each.signature;
  $("signature").title = each.signature;
  const kept = new Set(each.kept);
  const calls = links(each.calls, (callee) => kept.has(callee)
    ? ["", "called"] : ["inlined", "inlined or gone: no call is left"]);
  const by = links(callers[current.number], () => ["", "calls it"]);
  $("relatives").replaceChildren(
    element("div", {}, span("", by.length ? "called by" : "called by nobody directly"), ...by),
    element("div", {}, span("", calls.length ? "calls" : "calls nothing"), ...calls),
  );
  $("slider").max = current.detail.stages.length - 1;
  const optimised = current.detail.optimised;
  $("stages").replaceChildren(...current.detail.stages.map((stage, number) => {
    const kind = FRONT.has(stage.name) ? "front" : number <= optimised ? "middle" : "back";
    return element("button", { class: `stage ${kind}`, onclick: () => go(current.number, number) }, stage.name);
  }));
}

// Links to functions, those with one name together.
function links(numbers, kind) {
  const groups = new Map();
  for (const number of numbers) {
    const [style, title] = kind(number);
    const key = `${style} ${index.functions[number].name}`;
    if (!groups.has(key)) groups.set(key, { number, style, title, count: 0 });
    groups.get(key).count++;
  }
  return [...groups.values()].map(({ number, style, title, count }) =>
    element("a", { class: style, title, href: `#${number}` },
      shownName(index.functions[number]) + (count > 1 ? ` ×${count}` : "")));
}

async function showSource() {
  const each = show();
  if (each.file < 0) {
    $("source-title").textContent = "Python";
    $("source").replaceChildren(element("div", { class: "empty" }, "The toolchain has made this function: it has no source."));
    return;
  }
  const file = index.files[each.file];
  $("source-title").textContent = `Python: ${shortName(file.name)}:${each.line}`;
  $("source-title").title = file.name;
  const lines = (await readSource(index, each.file)).split("\n");
  const marks = marksByLine(each.file);
  const first = Math.max(each.line - 3, 1), last = Math.min(each.end + 2, lines.length);
  const indents = lines.slice(each.line - 1, each.end).filter((line) => line.trim()).map((line) => line.search(/\S/));
  const indent = Math.min(...indents);
  const rows = [];
  for (let number = first; number <= last; number++) {
    const outside = number < each.line || number > each.end ? " outside" : "";
    const line = lines[number - 1];
    const left = Math.min(indent, line.trim() ? line.search(/\S/) : 0);
    const row = element("div", { class: `row${outside}`, "data-line": `${each.file}:${number}`, "data-left": left });
    const dots = element("b", {}, ...KINDS.filter((kind) => marks.get(number)?.has(kind)).map((kind) => span(`dot ${kind}`, "")));
    const code = element("span", { class: "code" });
    code.append(codeLine(line.slice(left), PYTHON_TOKEN));
    row.append(element("i", {}, String(number)), dots, code);
    rows.push(row);
  }
  $("source").replaceChildren(...rows);
  if (!lines.join("")) $("source").replaceChildren(element("div", { class: "empty" }, "The source could not be read."));
  $("source").scrollTop = 0;
}

// Which kinds of things the optimiser left in a line.
function marksByLine(file) {
  const { notes, lines, spans } = current.detail;
  const marks = new Map();
  for (const [number, kind] of notes) {
    for (const frame of frames(spans, lines[number][1])) {
      if (frame.file !== file) continue;
      if (!marks.has(frame.line)) marks.set(frame.line, new Set());
      marks.get(frame.line).add(kind);
    }
  }
  return marks;
}

function showC() {
  const { c } = current.detail;
  const rows = c.map(([text, place], number) => {
    const row = element("div", { class: "row", "data-span": place }, element("i", {}, String(number + 1)));
    const code = element("span", { class: "code" });
    code.append(codeLine(text, C_TOKEN));
    row.append(code);
    return row;
  });
  const nothing = index.compiled
    ? "There is no C of it: it is inlined wherever it is called." : "There is no C at this stage.";
  $("c").replaceChildren(...(rows.length ? rows : [element("div", { class: "empty" }, nothing)]));
  $("c").scrollTop = 0;
}

function showStage() {
  const { detail, stage } = current;
  $("slider").value = stage;
  [...$("stages").children].forEach((button, number) => button.classList.toggle("current", number === stage));
  $("stages").children[stage].scrollIntoView({ block: "nearest", inline: "nearest" });
  for (const button of $("modes").children) button.classList.toggle("current", button.dataset.mode === mode);
  const { name, lines } = detail.stages[stage];
  const before = stage > 0 && mode === "diff" ? `, and what it changed since ${detail.stages[stage - 1].name}` : "";
  $("graph-title").textContent = `Graph: ${name}${before}`;
  const labels = lines.filter((line) => detail.lines[line][2]);
  if (mode === "diff") showDifference();
  else if (mode === "calls") showCalls();
  else showBlocks(mode === "graph" && labels.length > SLOW_TO_LAY_OUT ? "list" : mode);
  light();
}

const NOTE = { checks: "check", allocations: "allocation", boxing: "boxing", calls: "call" };

function rowOf(line, notes, known) {
  const [text, place, label] = current.detail.lines[line];
  const row = element("div", { class: "row", "data-span": place, "data-row": line });
  if (label) row.dataset.label = label;
  row.append(graphLine(text, known, symbols));
  for (const [, kind, reason] of notes.get(line) || [])
    row.append(span(`note ${kind}`, NOTE[kind], { "data-why": `${NOTE[kind]}: ${reason}` }));
  return row;
}

function notesNow() {
  const byLine = new Map();
  if (current.stage !== current.detail.optimised) return byLine;
  for (const note of current.detail.notes)
    byLine.has(note[0]) ? byLine.get(note[0]).push(note) : byLine.set(note[0], [note]);
  return byLine;
}

const typesIn = (stage, label) =>
  Object.keys(stage.types).length ? stage.types[label] || {} : current.detail.types;

function showBlocks(form) {
  const { detail, stage } = current;
  const now = detail.stages[stage], notes = notesNow();
  const place = element("div", { class: `blocks ${form}` });
  const blocks = [];
  const heading = element("div", { class: "heading" });
  for (const line of now.lines) {
    const [text, , label, targets] = detail.lines[line];
    if (label) blocks.push({ label, element: element("div", { class: "block", "data-block-of": label }), targets: [] });
    const block = blocks.at(-1);
    if (text === "}") continue;
    if (!block) heading.append(graphLine(text.replace(/ \{$/, ""), detail.types, symbols));
    else {
      block.targets.push(...targets);
      block.element.append(rowOf(line, notes, typesIn(now, block.label)));
    }
  }
  place.append(...blocks.map((block) => block.element));
  $("graph").replaceChildren(heading, place);
  drawEdges(place, blocks, form);
  $("graph").scrollTop = $("graph").scrollLeft = 0;
  if (form === "graph" && blocks.length) fit(place, blocks[0].element);
}

// Make a wide graph smaller, as far as it can be read, and begin where it begins.
function fit(place, first) {
  const room = $("graph").clientWidth;
  const scale = Math.min(1, Math.max(SMALLEST, (room - 24) / place.offsetWidth));
  const middle = first.offsetLeft + first.offsetWidth / 2;
  place.style.zoom = scale;
  $("graph").scrollLeft = Math.max(0, middle * scale - room / 2);
}

const AROUND = 3;

function showDifference() {
  const { detail, stage } = current;
  const now = detail.stages[stage], before = detail.stages[Math.max(stage - 1, 0)];
  const byText = new Map();
  for (const each of [before, now])
    for (const line of each.lines) byText.set(detail.lines[line][0], line);
  const texts = (each) => each.lines.map((line) => detail.lines[line][0]);
  const changes = difference(texts(before), texts(now));
  const near = changes.map(([sign]) => sign !== " ");
  const shown = near.map((_, i) => near.slice(Math.max(0, i - AROUND), i + AROUND + 1).some(Boolean));
  const place = element("div", { class: "diff" });
  const types = { ...detail.types, ...Object.assign({}, ...Object.values(now.types)) };
  let hidden = [];
  const fold = () => {
    const rows = hidden;
    hidden = [];
    if (!rows.length) return;
    const gap = element("div", { class: "gap" }, `⋯ ${rows.length} lines as before`);
    gap.addEventListener("click", () => gap.replaceWith(...rows));
    place.append(gap);
  };
  changes.forEach(([sign, text], i) => {
    const row = rowOf(byText.get(text), new Map(), types);
    row.classList.add(...(sign === "+" ? ["added"] : sign === "-" ? ["removed"] : []));
    if (row.dataset.label) row.classList.add("label");
    if (!shown[i] && near.some(Boolean)) return void hidden.push(row);
    fold();
    place.append(row);
  });
  fold();
  if (!near.some(Boolean)) place.prepend(element("div", { class: "gap" }, stage ? "no line differs" : "the first stage"));
  $("graph").replaceChildren(place);
  $("graph").scrollTop = 0;
}

// -- what was left, and why

let table = "left";

function showTable() {
  const { notes, remarks, lines } = current.detail;
  const tabs = [["left", `Remained (${notes.length})`], ["inlining", `Inlining (${remarks.length})`]];
  const legend = KINDS.map((kind) => element("span", {}, span(`dot ${kind}`, ""), NOTE[kind]));
  $("tabs").replaceChildren(...tabs.map(([name, text]) => element("button", {
    class: name === table ? "current" : "", "data-tab": name, onclick: () => { table = name; showTable(); },
  }, text)), element("div", { class: "legend" }, "left by the optimiser:", ...legend));
  const rows = table === "left"
    ? notes.map(([line, kind, why]) => row(lines[line][1], kind, lines[line][0].trim(), why, line))
    : remarks.map(([place, callee, why]) => row(place, why.startsWith("inlined") ? "inlined" : "not inlined", callee, why));
  const nothing = table === "left" ? "No check, allocation, boxing or call is left in it." : "There was no call to decide about.";
  $("table").replaceChildren(...(rows.length ? rows : [element("div", { class: "empty" }, nothing)]));

  function row(place, kind, what, why, line) {
    const at = frames(current.detail.spans, place);
    const where = at.length ? `:${at.at(-1).line}` : "";
    const good = kind === "inlined" ? "kind good" : "kind";
    return element("div", {
      class: "entry", "data-span": place,
      onclick: () => {
        if (line !== undefined && current.stage !== current.detail.optimised) go(current.number, current.detail.optimised);
        pin(keysOf(place), true);
      },
    }, span("line", where), span(good, NOTE[kind] || kind), span("mono", what), span("why", why));
  }
}

// -- two-way highlighting: lines of Python, of the graph and of C that belong together

const keysOf = (place) => new Set(frames(current.detail.spans, place).map((frame) => `${frame.file}:${frame.line}`));

function light(keys = pinned, exact = null) {
  for (const each of document.querySelectorAll(".row.hot, .row.pinned")) each.classList.remove("hot", "pinned");
  for (const mark of document.querySelectorAll("#source mark")) mark.replaceWith(...mark.childNodes);
  if (!keys) return;
  const kind = keys === pinned ? "pinned" : "hot";
  for (const row of document.querySelectorAll("#source .row")) {
    if (keys.has(row.dataset.line)) row.classList.add(kind);
  }
  const fits = new Map();
  for (const row of document.querySelectorAll("#graph .row[data-span], #c .row[data-span]")) {
    const place = Number(row.dataset.span);
    if (place < 0) continue;
    if (!fits.has(place))
      fits.set(place, exact === null ? [...keysOf(place)].some((key) => keys.has(key)) : isWithin(place, exact));
    if (fits.get(place)) row.classList.add(kind);
  }
  if (exact !== null) markColumns(exact);
}

// Is a place the other one, or inlined there?
function isWithin(place, other) {
  while (place >= 0 && place !== other) place = current.detail.spans[place][6];
  return place === other;
}

// The exact expressions in the lines of Python: inlined ones, and the calls in their place.
function markColumns(place) {
  for (const frame of frames(current.detail.spans, place)) {
    const row = document.querySelector(`#source .row[data-line="${frame.file}:${frame.line}"]`);
    if (!row || frame.column < 0) continue;
    const code = row.querySelector(".code");
    const text = code.textContent;
    const left = Number(row.dataset.left), start = frame.column - left;
    const end = frame.endLine === frame.line && frame.endColumn > 0 ? frame.endColumn - left : text.length;
    code.replaceChildren(
      codeLine(text.slice(0, start), PYTHON_TOKEN),
      element("mark", {}, text.slice(start, end)),
      codeLine(text.slice(end), PYTHON_TOKEN),
    );
  }
}

function pin(keys, scroll) {
  pinned = keys;
  light();
  if (!scroll || !keys) return;
  for (const pane of ["source", "graph", "c"]) $(pane).querySelector(".row.pinned")?.scrollIntoView({ block: "nearest" });
}

function hover(event) {
  const row = event.target.closest(".row");
  for (const each of document.querySelectorAll(".v.same")) each.classList.remove("same");
  if (!row) return void (light(), hideTip());
  if (row.dataset.line) light(new Set([row.dataset.line]));
  else if (Number(row.dataset.span) >= 0) light(keysOf(Number(row.dataset.span)), Number(row.dataset.span));
  else light();
  const name = event.target.dataset.v;
  if (name) for (const each of $("graph").querySelectorAll(`.v[data-v="${name}"]`)) each.classList.add("same");
  lightEdges(event.target.dataset.block || row.dataset.label);
  tip(event, row);
}

function lightEdges(label) {
  for (const each of document.querySelectorAll("svg.edges [data-from]"))
    each.classList.toggle("lit", label !== undefined && (each.dataset.from === label || each.dataset.to === label));
}

function tip(event, row) {
  const { detail, stage } = current;
  const parts = [];
  const name = event.target.dataset.v;
  if (name) {
    const label = row.closest(".block")?.dataset.blockOf;
    const type = typesIn(detail.stages[stage], label)[name] || detail.types[name];
    if (type) parts.push(element("div", {}, element("b", {}, name), `: ${type}`));
    const range = FRONT.has(detail.stages[stage].name) ? undefined : detail.ranges[name];
    if (range)
      parts.push(element("div", {}, range.includes("..") ? `between ${range.replace("..", " and ")}` : `is ${range}`));
  }
  if (event.target.dataset.why) parts.push(element("div", {}, event.target.dataset.why));
  if (event.target.dataset.function) {
    const each = index.functions[Number(event.target.dataset.function)];
    parts.push(element("div", {}, element("b", {}, each.name), ` ${each.signature}`));
  }
  if (row.dataset.line) parts.push(...whatRemains(row.dataset.line));
  else if (Number(row.dataset.span) >= 0) {
    const places = frames(detail.spans, Number(row.dataset.span));
    places.forEach((frame, i) => parts.push(element("div", { class: "m" },
      `${i ? "inlined at " : ""}${shortName(index.files[frame.file].name)}:${frame.line} in ${frame.name}`)));
  }
  if (!parts.length) return hideTip();
  $("tip").replaceChildren(...parts);
  $("tip").hidden = false;
  const { offsetWidth, offsetHeight } = $("tip");
  $("tip").style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - offsetWidth - 8))}px`;
  const below = event.clientY + 18 + offsetHeight < innerHeight;
  $("tip").style.top = `${below ? event.clientY + 18 : Math.max(4, event.clientY - offsetHeight - 12)}px`;
}

function whatRemains(key) {
  const { notes, lines, remarks } = current.detail;
  const left = notes.filter(([line]) => keysOf(lines[line][1]).has(key))
    .map(([, kind, why]) => element("div", {}, span(`dot ${kind}`, ""), `${NOTE[kind]}: ${why}`));
  const decided = remarks.filter(([place]) => keysOf(place).has(key))
    .map(([, callee, why]) => element("div", { class: "m" }, `${callee}: ${why}`));
  return [...left, ...decided].slice(0, 14);
}

const hideTip = () => { $("tip").hidden = true; };

// -- events

function step(by) {
  const next = current.stage + by;
  if (next >= 0 && next < current.detail.stages.length) go(current.number, next);
}

function choose(name) {
  mode = name;
  showStage();
}

function listen() {
  addEventListener("hashchange", follow);
  $("search").addEventListener("input", () => fillList($("search").value));
  $("search").addEventListener("keydown", (event) => {
    const first = $("list").querySelector(".function");
    if (event.key === "Enter" && first) go(first.dataset.function);
    if (event.key === "Escape") { $("search").value = ""; fillList(""); $("search").blur(); }
  });
  $("slider").addEventListener("input", () => go(current.number, Number($("slider").value)));
  $("before").addEventListener("click", () => step(-1));
  $("after").addEventListener("click", () => step(1));
  for (const button of $("modes").children) button.addEventListener("click", () => choose(button.dataset.mode));
  for (const id of ["source", "graph", "c"]) {
    $(id).addEventListener("mouseover", hover);
    $(id).addEventListener("mouseleave", () => { light(); hideTip(); lightEdges(undefined); });
    $(id).addEventListener("click", click);
  }
  addEventListener("keydown", (event) => {
    if (event.target === $("search") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowLeft") step(-1);
    else if (event.key === "ArrowRight") step(1);
    else if (event.key === "d") choose(mode === "diff" ? "list" : "diff");
    else if (event.key === "/") $("search").focus();
    else if (event.key === "Escape") pin(null);
    else return;
    event.preventDefault();
  });
  for (const grip of document.querySelectorAll(".grip")) grip.addEventListener("mousedown", drag);
}

function click(event) {
  const { function: number, block } = event.target.dataset;
  if (number !== undefined) return void go(number);
  if (block !== undefined) {
    const target = $("graph").querySelector(`[data-block-of="${block}"]`);
    for (const each of document.querySelectorAll(".block.target")) each.classList.remove("target");
    target?.classList.add("target");
    return void target?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  const row = event.target.closest(".row");
  if (!row) return;
  const keys = row.dataset.line ? new Set([row.dataset.line]) : keysOf(Number(row.dataset.span));
  const same = pinned && [...keys].every((key) => pinned.has(key)) && keys.size === pinned.size;
  pin(same || !keys.size ? null : keys, true);
}

function drag(event) {
  const { left, right } = event.target.dataset;
  const pane = $(left || right), start = event.clientX, width = pane.offsetWidth;
  const move = (now) => { pane.style.flexBasis = `${width + (left ? 1 : -1) * (now.clientX - start)}px`; };
  const end = () => { removeEventListener("mousemove", move); removeEventListener("mouseup", end); };
  addEventListener("mousemove", move);
  addEventListener("mouseup", end);
  event.preventDefault();
}

start();
