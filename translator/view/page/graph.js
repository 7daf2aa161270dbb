// Blocks with arrows: one below the other, or in layers.

const SVG = "http://www.w3.org/2000/svg";
const LANE = 9, GAP_X = 26, GAP_Y = 34, TIP = 5;

function shape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// blocks: [{label, element, targets}]; the elements are in the page already.
function drawEdges(place, blocks, mode) {
  const svg = shape("svg", { class: "edges", width: 1, height: 1 });
  const number = new Map(blocks.map((block, i) => [block.label, i]));
  const edges = blocks.flatMap((block, i) =>
    [...new Set(block.targets)].filter((label) => number.has(label))
      .map((label) => ({ from: i, to: number.get(label) })));
  const paths = mode === "graph" ? layered(place, blocks, edges) : besides(place, blocks, edges);
  for (const { path, tip, edge } of paths) {
    const kind = edge.to <= edge.from ? "back" : "";
    const ends = { class: kind, "data-from": blocks[edge.from].label, "data-to": blocks[edge.to].label };
    svg.append(shape("path", { d: path, ...ends }), shape("polygon", { points: tip, ...ends }));
  }
  place.append(svg);
}

// Arrows in lanes on the left: the shortest ones are the nearest to the blocks.
function besides(place, blocks, edges) {
  const far = (edge) => Math.abs(edge.to - edge.from);
  const shown = edges.filter((edge) => edge.to !== edge.from + 1);
  const straight = edges.filter((edge) => edge.to === edge.from + 1);
  const lanes = [];
  for (const edge of [...shown].sort((a, b) => far(a) - far(b))) {
    const [low, high] = [Math.min(edge.from, edge.to), Math.max(edge.from, edge.to)];
    let lane = 0;
    while ((lanes[lane] ||= []).some(([a, b]) => low <= b && a <= high)) lane++;
    lanes[lane].push([low, high]);
    edge.lane = lane;
  }
  const left = 10 + lanes.length * LANE;
  place.style.paddingLeft = `${left}px`;
  const box = (i) => blocks[i].element;
  return [
    ...shown.map((edge) => {
      const x = left - 7 - edge.lane * LANE, end = left - 1;
      const y1 = box(edge.from).offsetTop + box(edge.from).offsetHeight - 11;
      const y2 = box(edge.to).offsetTop + 11;
      const [r, way] = [4, y2 > y1 ? 1 : -1];
      const path = `M${end} ${y1}H${x + r}Q${x} ${y1} ${x} ${y1 + way * r}V${y2 - way * r}Q${x} ${y2} ${x + r} ${y2}H${end - TIP}`;
      return { path, tip: `${end},${y2} ${end - 6},${y2 - 3.5} ${end - 6},${y2 + 3.5}`, edge };
    }),
    ...straight.map((edge) => {
      const x = left + 16, y1 = box(edge.from).offsetTop + box(edge.from).offsetHeight, y2 = box(edge.to).offsetTop;
      return { path: `M${x} ${y1}V${y2 - TIP}`, tip: `${x},${y2} ${x - 3.5},${y2 - 6} ${x + 3.5},${y2 - 6}`, edge };
    }),
  ];
}

// In layers, each arrow but those back to a loop downwards; after Sugiyama, Tagawa and Toda (1981).
function layered(place, blocks, edges) {
  const nodes = blocks.map((block) => ({
    width: block.element.offsetWidth, height: block.element.offsetHeight, layer: 0, block,
  }));
  const forward = edges.filter((edge) => edge.to > edge.from);
  for (const edge of forward.sort((a, b) => a.from - b.from))
    nodes[edge.to].layer = Math.max(nodes[edge.to].layer, nodes[edge.from].layer + 1);
  const layers = [];
  for (const node of nodes) (layers[node.layer] ||= []).push(node);
  const links = [];
  const chains = new Map();
  for (const edge of edges) {
    // through the layers between, by way of nodes without a block
    const [top, bottom] = edge.to > edge.from ? [nodes[edge.from], nodes[edge.to]] : [nodes[edge.to], nodes[edge.from]];
    const chain = [top];
    const back = edge.to <= edge.from;
    const [first, last] = back ? [top.layer, bottom.layer + 1] : [top.layer + 1, bottom.layer];
    for (let layer = first; layer < last; layer++) {
      const bend = { width: 10, height: 0, layer, block: null };
      layers[layer].push(bend);
      chain.push(bend);
    }
    if (!back) chain.push(bottom);
    for (let i = back ? 2 : 1; i < chain.length; i++) links.push([chain[i - 1], chain[i]]);
    chains.set(edge, back ? chain.slice(1) : chain);
  }
  orderLayers(layers, links);
  placeLayers(layers, links);
  let y = 4, right = 0;
  for (const layer of layers) {
    const height = Math.max(...layer.map((node) => node.height));
    for (const node of layer) {
      node.y = y;
      node.bottom = y + height;
      right = Math.max(right, node.x + node.width);
      if (node.block) Object.assign(node.block.element.style, { left: `${node.x}px`, top: `${y}px` });
    }
    y += height + GAP_Y;
  }
  place.style.width = `${right + 20}px`;
  place.style.height = `${y}px`;
  return edges.map((edge) => ({ ...route(edge, nodes, chains.get(edge), edges), edge }));
}

function orderLayers(layers, links) {
  const [above, below] = [new Map(), new Map()];
  const add = (map, key, value) => map.has(key) ? map.get(key).push(value) : map.set(key, [value]);
  for (const [a, b] of links) {
    add(above, b, a);
    add(below, a, b);
  }
  const number = () => layers.forEach((layer) => layer.forEach((node, i) => { node.order = i; }));
  number();
  const sort = (layer, near) => {
    for (const node of layer) {
      const others = near.get(node) || [];
      node.middle = others.length
        ? others.reduce((sum, other) => sum + other.order, 0) / others.length : node.order;
    }
    layer.sort((a, b) => a.middle - b.middle);
    layer.forEach((node, i) => { node.order = i; });
  };
  for (let turn = 0; turn < 6; turn++) {
    for (let i = 1; i < layers.length; i++) sort(layers[i], above);
    for (let i = layers.length - 2; i >= 0; i--) sort(layers[i], below);
  }
}

// Each node goes as near to the middle of those that it is linked with as its neighbours allow.
function placeLayers(layers, links) {
  const near = new Map();
  for (const [a, b] of links) {
    for (const [one, other] of [[a, b], [b, a]])
      near.has(one) ? near.get(one).push(other) : near.set(one, [other]);
  }
  for (const layer of layers) {
    let x = 0;
    for (const node of layer) {
      node.x = x;
      x += node.width + GAP_X;
    }
  }
  const middle = (node) => node.x + node.width / 2;
  for (let turn = 0; turn < 12; turn++) {
    for (const layer of turn % 2 ? layers : [...layers].reverse()) {
      for (const node of layer) {
        const others = near.get(node) || [];
        const sum = others.reduce((total, other) => total + middle(other), 0);
        node.wish = others.length ? sum / others.length - node.width / 2 : node.x;
      }
      settle(layer);
    }
  }
  const left = Math.min(...layers.flat().map((node) => node.x));
  for (const node of layers.flat()) node.x += 10 - left;
}

// The places nearest to the wishes at which nodes of one layer do not overlap: those that would
// are put together, as in isotonic regression.
function settle(layer) {
  const groups = [];
  let offset = 0;
  for (const node of layer) {
    let group = { nodes: [[node, offset]], sum: node.wish - offset, count: 1 };
    offset += node.width + GAP_X;
    while (groups.length && groups.at(-1).sum / groups.at(-1).count > group.sum / group.count) {
      const last = groups.pop();
      group = { nodes: [...last.nodes, ...group.nodes], sum: last.sum + group.sum, count: last.count + group.count };
    }
    groups.push(group);
  }
  for (const { nodes, sum, count } of groups)
    for (const [node, at] of nodes) node.x = sum / count + at;
}

function route(edge, nodes, chain, edges) {
  const [from, to] = [nodes[edge.from], nodes[edge.to]];
  const outs = edges.filter((each) => each.from === edge.from);
  const ins = edges.filter((each) => each.to === edge.to);
  const port = (node, i, n) => node.x + (node.width * (i + 1)) / (n + 1);
  const x1 = port(from, outs.indexOf(edge), outs.length);
  const x2 = port(to, ins.indexOf(edge), ins.length);
  const y1 = from.y + from.height, y2 = to.y - TIP;
  const bends = chain.filter((node) => !node.block).map((node) => [node.x + 5, node.y, node.bottom]);
  const back = edge.to <= edge.from;
  if (back) bends.reverse();
  let path = `M${x1} ${y1}`;
  let [x, y] = [x1, y1];
  const curve = (toX, toY) => {
    const half = (toY - y) / 2;
    path += `C${x} ${y + half} ${toX} ${toY - half} ${toX} ${toY}`;
    [x, y] = [toX, toY];
  };
  const around = (toX, toY, way) => {
    path += `C${x} ${y + way * 22} ${toX} ${toY + way * 22} ${toX} ${toY}`;
    [x, y] = [toX, toY];
  };
  if (back) {
    bends.forEach(([bend, top, bottom], i) => {
      if (i === 0) around(bend, bottom - 2, 1);
      else curve(bend, bottom);
      path += `V${(y = top)}`;
    });
    around(x2, y2, -1);
  } else {
    for (const [bend, top, bottom] of bends) {
      curve(bend, top);
      path += `V${(y = bottom)}`;
    }
    curve(x2, y2);
  }
  return { path, tip: `${x2},${y2 + TIP} ${x2 - 3.5},${y2 - 1} ${x2 + 3.5},${y2 - 1}` };
}
