// What the page is about: one line of text per piece, unpacked when it is looked at.
// Line 0 is the index; then come the functions, then the files (translator/view/page.py).

const pieces = document.getElementById("data").textContent.trim().split("\n");
const unpacked = new Map();

function piece(number) {
  if (!unpacked.has(number)) unpacked.set(number, unpack(pieces[number]));
  return unpacked.get(number);
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

const readIndex = () => piece(0);
const readFunction = (number) => piece(1 + number);
const readSource = (index, file) => piece(1 + index.functions.length + file);

// A place and those at which it is inlined, from the inside out.
function frames(spans, number) {
  const result = [];
  for (let at = number; at >= 0; ) {
    const [file, line, column, endLine, endColumn, name, outer] = spans[at];
    result.push({ file, line, column, endLine, endColumn, name });
    at = outer;
  }
  return result;
}
