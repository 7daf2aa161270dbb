// Text with colours, and differences between texts.

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const span = (kind, text, attributes) => element("span", { class: kind, ...attributes }, text);

const GRAPH_TOKEN =
  /("(?:[^"\\]|\\.)*"|u?'(?:[^'\\]|\\.)*')|(@[\w.']+)|(-?\b\d[\w.*]*)|\b(goto|if|else|return|raise|except|as|switch|case|try|graph|unreachable)\b|([A-Za-z_]\w*)(\()?/g;

// A line of a graph.  known: the types of its variables; symbols: functions by name.
function graphLine(text, known, symbols) {
  const row = document.createDocumentFragment();
  let end = 0;
  for (const token of text.matchAll(GRAPH_TOKEN)) {
    if (token.index > end) row.append(text.slice(end, token.index));
    end = token.index + token[0].length;
    const [all, string, symbol, number, word, name, called] = token;
    if (string) row.append(span("s", all));
    else if (symbol && symbols.has(symbol.slice(1)))
      row.append(span("link", all, { "data-function": symbols.get(symbol.slice(1)) }));
    else if (symbol) row.append(span("m", all));
    else if (number) row.append(span("n", all));
    else if (word) row.append(span("w", all));
    else if (called && /^b\d+$/.test(name)) row.append(span("j", name, { "data-block": name }), "(");
    else if (called) row.append(span(/^[A-Z]/.test(name) ? "t" : "o", name), "(");
    else if (Object.hasOwn(known, name)) row.append(span("v", name, { "data-v": name }));
    else row.append(name);
  }
  row.append(text.slice(end));
  return row;
}

const PYTHON_TOKEN =
  /("""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|[rbfu]{0,2}"(?:[^"\\\n]|\\.)*"|[rbfu]{0,2}'(?:[^'\\\n]|\\.)*')|(#.*)|\b(and|as|assert|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|None|nonlocal|not|or|pass|raise|return|True|False|try|while|with|yield)\b|\b(\d[\w.]*)/g;
const C_TOKEN =
  /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(\/\*.*?\*\/)|\b(static|const|void|if|else|goto|return|switch|case|default|while|for|inline|extern|struct|sizeof|NULL)\b|\b(\d[\w.]*)/g;

function codeLine(text, pattern) {
  const row = document.createDocumentFragment();
  let end = 0;
  for (const token of text.matchAll(pattern)) {
    if (token.index > end) row.append(text.slice(end, token.index));
    end = token.index + token[0].length;
    const [all, string, comment, word] = token;
    row.append(span(string ? "s" : comment ? "m" : word ? "w" : "n", all));
  }
  row.append(text.slice(end));
  return row;
}

// What was removed from, kept of and added to a list of lines: [["-", line], [" ", line], ...].
function difference(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let rest = 0;
  while (
    rest < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - rest] === after[after.length - 1 - rest]
  ) rest++;
  const [a, b] = [before.slice(start, before.length - rest), after.slice(start, after.length - rest)];
  const result = before.slice(0, start).map((line) => [" ", line]);
  result.push(...middleDifference(a, b));
  result.push(...after.slice(after.length - rest).map((line) => [" ", line]));
  return result;
}

const MOST_COMPARED = 9e6;

// By the longest common subsequence, for which there is room up to a point.
function middleDifference(a, b) {
  if (a.length * b.length > MOST_COMPARED) {
    return [...a.map((line) => ["-", line]), ...b.map((line) => ["+", line])];
  }
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j]
        ? lengths[(i + 1) * width + j + 1] + 1
        : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const result = [];
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) result.push([" ", b[(i++, j++)]]);
    else if (j === b.length || (i < a.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]))
      result.push(["-", a[i++]]);
    else result.push(["+", b[j++]]);
  }
  return result;
}
