// A flame graph, and the lines of the program with what each took (translator/view/flame.py).

const profile = JSON.parse(document.getElementById("data").textContent);
const ROW = 19;
const NARROWEST = 1.5; // pixels

const COLOURS = {
  program: "--program", "standard library": "--library", "rpython.rlib": "--library",
  "built-in functions": "--library", operations: "--operations",
};

const percent = (weight) => `${((100 * weight) / profile.weight).toFixed(1)} %`;
const element = (id) => document.getElementById(id);

function make(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

// Every node knows what is above it.
function connect(node, parent) {
  node.parent = parent;
  for (const child of node.children) connect(child, node);
}

function draw(chosen) {
  const flame = element("flame");
  const width = flame.clientWidth;
  const wanted = element("search").value.trim().toLowerCase();
  const frames = document.createDocumentFragment();
  let deepest = 0;
  let found = 0;

  function add(node, left, size, depth, isOuter, isInFound) {
    if (size < NARROWEST) return;
    deepest = Math.max(deepest, depth);
    const isFound = wanted !== "" && node.name.toLowerCase().includes(wanted);
    if (isFound && !isInFound && !isOuter) found += node.total;
    const frame = make("div", "frame", size > 24 ? node.name : "");
    frame.classList.toggle("outer", isOuter);
    frame.classList.toggle("found", isFound);
    frame.style.cssText =
      `left:${left}px;width:${size}px;top:${depth * ROW}px;` +
      `background:var(${COLOURS[node.kind] || "--runtime"})`;
    frame.onclick = () => draw(node);
    frame.onmousemove = (event) => showTip(event, node);
    frame.onmouseleave = () => (element("tip").hidden = true);
    frames.append(frame);
    if (isOuter) return;
    let at = left;
    for (const child of node.children) {
      const part = (child.total / node.total) * size;
      add(child, at, part, depth + 1, false, isInFound || isFound);
      at += part;
    }
  }

  const outer = [];
  for (let node = chosen.parent; node; node = node.parent) outer.unshift(node);
  outer.forEach((node, depth) => add(node, 0, width, depth, true, false));
  add(chosen, 0, width, outer.length, false, false);
  flame.replaceChildren(frames);
  flame.style.height = `${(deepest + 1) * ROW}px`;
  element("found").textContent = wanted === "" ? "" : percent(found);
  draw.again = () => draw(chosen);
}

function showTip(event, node) {
  const tip = element("tip");
  const lines = node.lines.map(([place, weight]) => `${percent(weight).padStart(8)}  ${place}`);
  tip.textContent = [`${node.name}  (${node.kind})`, `${percent(node.total)} of all`, ...lines].join("\n");
  tip.hidden = false;
  const below = event.clientY + 18;
  tip.style.left = `${Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${Math.min(below, innerHeight - tip.offsetHeight - 8)}px`;
}

function heated(weight) {
  const cell = make("td", "number", weight ? percent(weight) : "");
  const strength = Math.min(1, (3 * weight) / profile.weight);
  if (weight) cell.style.background = `rgba(var(--heat), ${0.08 + 0.6 * strength})`;
  return cell;
}

function fileOf({ name, own, lines }) {
  const details = make("details", "");
  details.open = true;
  details.append(make("summary", "", `${name}: ${percent(own)}   self | total | line`));
  const table = make("table", "");
  for (const [number, text, self, total] of lines) {
    const row = make("tr", "");
    row.append(heated(self), heated(total), make("td", "number", number), make("td", "", text));
    table.append(row);
  }
  details.append(table);
  return details;
}

element("target").textContent = profile.target;
element("summary").textContent = profile.summary;
connect(profile.tree, null);
element("lines").append(...profile.files.map(fileOf));
element("search").oninput = () => draw.again();
addEventListener("resize", () => draw.again());
addEventListener("keydown", (event) => {
  if (event.key === "Escape") draw(profile.tree);
  if (event.key === "/" && event.target !== element("search")) {
    event.preventDefault();
    element("search").focus();
  }
});
draw(profile.tree);
document.body.dataset.ready = "yes";
