// The call graph of the program's own functions: a call by way of helpers is one of theirs, too.

const MOST_CALLERS = 90;
const NEAR = 2;

function showCalls() {
  const own = index.functions.map((each, number) => number).filter((number) => isOwn(index.functions[number]));
  const shown = own.length ? own : index.functions.map((_, number) => number);
  const near = shown.length > MOST_CALLERS ? neighbours(current.number, new Set(shown)) : new Set(shown);
  const order = callersFirst(shown.filter((number) => near.has(number)), near);
  const blocks = order.map((number) => ({ label: String(number), element: caller(number), targets: ownCallees(number, near).map(String) }));
  const place = element("div", { class: "blocks graph" }, ...blocks.map((block) => block.element));
  const left = shown.length - order.length;
  const heading = left ? `${order.length} functions near ${shownName(show())}, of ${shown.length}` : `${order.length} functions`;
  $("graph-title").textContent = "Calls";
  $("graph").replaceChildren(element("div", { class: "heading" }, heading), place);
  drawEdges(place, blocks, "graph");
  $("graph").scrollTop = $("graph").scrollLeft = 0;
  fit(place, (blocks.find((block) => block.label === String(current.number)) || blocks[0]).element);
}

function caller(number) {
  const each = index.functions[number];
  const kind = number === current.number ? "current" : each.compiled || !index.compiled ? "" : "gone";
  return element("div", { class: `block caller ${kind}`, "data-function": number, title: each.signature }, shownName(each));
}

// The functions among those given that one of them calls, directly or by way of others.
function ownCallees(number, among) {
  const found = new Set(), seen = new Set([number]), todo = [...index.functions[number].calls];
  while (todo.length) {
    const callee = todo.pop();
    if (among.has(callee)) found.add(callee);
    else if (!seen.has(callee) && !isOwn(index.functions[callee])) {
      seen.add(callee);
      todo.push(...index.functions[callee].calls);
    }
  }
  return [...found];
}

function neighbours(start, among) {
  const above = new Map([...among].map((number) => [number, []]));
  for (const number of among) for (const callee of ownCallees(number, among)) above.get(callee).push(number);
  let found = new Set([start]);
  for (let step = 0; step < NEAR; step++)
    for (const number of [...found].filter((each) => among.has(each)))
      for (const other of [...ownCallees(number, among), ...above.get(number)])
        if (found.size < MOST_CALLERS) found.add(other);
  return found;
}

// In an order in which callers come before whom they call, but where calls go round.
function callersFirst(numbers, among) {
  const called = new Set(numbers.flatMap((number) => ownCallees(number, among).filter((callee) => callee !== number)));
  const done = new Set(), order = [];
  const visit = (number) => {
    if (done.has(number)) return;
    done.add(number);
    for (const callee of ownCallees(number, among)) visit(callee);
    order.push(number);
  };
  for (const number of numbers.filter((each) => !called.has(each))) visit(number);
  for (const number of numbers) visit(number);
  return order.reverse();
}
