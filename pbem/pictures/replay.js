// The script of a replay page: it goes from step to step, and shows board, battles and graphs.

"use strict";
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const byId = (id) => document.getElementById(id);
  const steps = game.steps.map(([part, side, head, lines, fights]) => ({ part, side, head, lines, fights }));
  const last = steps.length - 1;
  const board = byId("board"), map = byId("map"), range = byId("step"), told = byId("told");
  const drawn = board.tagName.toLowerCase() === "svg";
  const text = (n) => game.texts[n];
  const markup = (n) => game.elements[n].replace(/\ue000(\d+) ([^\ue001]*)\ue001/g,
    (_, counter, spot) => game.counters[counter].replace("\ue000", spot));

  // What each layer holds after each step: lists are shared as long as they stay the same.
  const held = [];
  game.changes.forEach((changes, step) => {
    const now = step ? held[step - 1].slice() : game.layers.map(() => []);
    for (const [layer, gone, come] of changes) {
      const out = new Set(gone);
      const list = now[layer].filter((_, place) => !out.has(place));
      for (let k = 0; k < come.length; k += 2) list.splice(come[k], 0, come[k + 1]);
      now[layer] = list;
    }
    held.push(now);
  });

  const places = new Map();
  document.querySelectorAll("[data-layer]").forEach((each) => places.set(Number(each.dataset.layer), each));
  const nodes = new Map();
  function nodesOf(place, number) {
    let found = nodes.get(number);
    if (!found) {
      const parent = place.cloneNode(false);
      parent.innerHTML = markup(number);
      found = [...parent.childNodes];
      nodes.set(number, found);
    }
    return found;
  }

  const ACTION = ["arrows", "attacks", "battles", "bursts"];
  // What came with a step. What was only drawn elsewhere before, under the same title, is not new.
  const titled = (number) => (/<title>(.*?)<\/title>/.exec(markup(number)) || [""])[0];
  const newIn = (step, layer) => {
    const change = game.changes[step].find((each) => each[0] === layer);
    if (!change) return new Set();
    const same = step && steps[step].part === steps[step - 1].part;
    const was = new Set(same ? held[step - 1][layer].map(titled) : []);
    was.delete("");
    return new Set(change[2].filter((number, k) => k % 2 && !was.has(titled(number))));
  };

  let at = -1, timer = 0, zoom = 0, seat = -1;
  const shown = game.layers.map(() => null);
  let marked = [];

  function draw(step) {
    game.layers.forEach((name, layer) => {
      const list = held[step][layer], place = places.get(layer);
      if (shown[layer] !== list) {
        place.replaceChildren(...list.flatMap((number) => nodesOf(place, number)));
        shown[layer] = list;
      }
    });
    marked.forEach((node) => node.classList.remove("past"));
    marked = [];
    const news = [];
    if (drawn) game.layers.forEach((name, layer) => {
      const action = ACTION.includes(name);
      if (!action && name !== "stacks") return;
      const fresh = newIn(step, layer);
      for (const number of held[step][layer]) {
        for (const node of nodesOf(places.get(layer), number)) {
          if (fresh.has(number)) news.push([action, node]);
          else if (action && node.classList) { node.classList.add("past"); marked.push(node); }
        }
      }
    });
    return news;
  }

  // The one that is nearest to where most of them are.
  function central(nodes) {
    const places = nodes.map((node) => [node, node.getBoundingClientRect()]).map(([node, box]) => [node, box.left, box.top]);
    const [x, y] = [1, 2].map((way) => places.map((place) => place[way]).sort((a, b) => a - b)[places.length >> 1]);
    const far = ([, left, top]) => Math.hypot(left - x, top - y);
    return places.reduce((best, place) => far(place) < far(best) ? place : best)[0];
  }

  // Brings what is new into sight, if the map is larger than its window: the middle of it, and if hardly anything of it
  // is seen there, the one amidst them. A page opens where somebody stands.
  function follow(news, opening) {
    if (!drawn || (map.scrollWidth <= map.clientWidth && map.scrollHeight <= map.clientHeight)) return;
    const some = news.some(([action]) => action) ? news.filter(([action]) => action) : news;
    const many = some.length > 60;
    const nodes = some.map(([, node]) => node).filter((node) => node.getBBox && node.getBoundingClientRect().width);
    if (!nodes.length || (many && !opening)) return;
    const frame = map.getBoundingClientRect(), boxOf = (node) => node.getBoundingClientRect();
    const seen = (box) => box.right > frame.left && box.left < frame.right && box.bottom > frame.top && box.top < frame.bottom;
    const show = (those) => {
      const boxes = those.map(boxOf);
      const left = Math.min(...boxes.map((box) => box.left)), right = Math.max(...boxes.map((box) => box.right));
      const top = Math.min(...boxes.map((box) => box.top)), bottom = Math.max(...boxes.map((box) => box.bottom));
      map.scrollLeft += (left + right) / 2 - (frame.left + frame.right) / 2;
      map.scrollTop += (top + bottom) / 2 - (frame.top + frame.bottom) / 2;
    };
    if (!many) show(nodes);
    if (nodes.map(boxOf).filter(seen).length * 10 < nodes.length) show([central(nodes)]);
  }

  function tell(step) {
    const one = steps[step];
    byId("where").textContent = one.head.slice(1).map(text).join(" ");
    if (one.head.length) byId("title").textContent = text(one.head[0]);
    byId("part").textContent = game.parts[one.part][0];
    const list = document.createElement("ul");
    for (const number of one.lines) {
      const item = document.createElement("li");
      item.textContent = text(number);
      list.append(item);
    }
    told.replaceChildren(list);
    told.parentElement.scrollTop = 0;
    byId("count").textContent = `${step + 1} of ${steps.length}`;
    range.value = step;
    range.setAttribute("aria-valuetext", `Step ${step + 1} of ${steps.length}: ${game.parts[one.part][0]}`);
    byId("turn").value = one.part;
    buttons.forEach(([button, number]) => {
      if (number === step) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    const [latest] = buttons.filter(([, number]) => number <= step).pop() || buttons[0] || [];
    if (latest) keepInSight(latest);
    document.querySelectorAll(".chart svg").forEach((svg) => {
      const x = Number(svg.dataset.left) + (svg.dataset.right - svg.dataset.left) * step / Math.max(1, last);
      svg.querySelector(".now").setAttribute("transform", `translate(${Math.round(x)} 0)`);
    });
    // Not `disabled`, which would take the focus from who holds it.
    for (const [id, way] of WAYS) byId(id).setAttribute("aria-disabled", way() === at);
  }

  function keepInSight(button) {
    const list = byId("fights").parentElement, box = button.getBoundingClientRect(), frame = list.getBoundingClientRect();
    if (box.top < frame.top || box.bottom > frame.bottom) list.scrollTop += box.top - frame.top - frame.height / 3;
  }

  function go(step) {
    step = Math.max(0, Math.min(last, step));
    if (step === at) return;
    const news = draw(step), opening = at < 0;
    at = step;
    tell(step);
    follow(news, opening);
    try { history.replaceState(null, "", `#${step + 1}`); } catch { /* a page in a frame may not */ }
  }

  // Where one can go from here; with a seat chosen, only its steps count.
  const counts = (step) => seat < 0 || steps[step].side === seat;
  function seek(way, wanted) {
    for (let step = at + way; step >= 0 && step <= last; step += way) if (wanted(step)) return step;
    return at;
  }
  const next = () => seek(1, counts);
  const before = () => seek(-1, (step) => counts(step) || step === 0);
  const fight = (way) => seek(way, (step) => counts(step) && steps[step].fights.length > 0);
  const turn = (way) => {
    const part = steps[at].part + way;
    return part < 0 ? 0 : part < game.parts.length ? game.parts[part][1] : last;
  };
  const WAYS = [
    ["first", () => 0], ["fight-before", () => fight(-1)], ["before", before],
    ["after", next], ["fight-after", () => fight(1)], ["last", () => last],
  ];

  function play(on) {
    clearTimeout(timer);
    timer = 0;
    if (on && next() === at) go(0);
    document.body.classList.toggle("playing", on);
    const button = byId("play");
    button.setAttribute("aria-label", on ? "Pause" : "Play");
    button.title = on ? "Pause (space)" : "Play (space)";
    told.setAttribute("aria-live", on ? "off" : "polite");
    if (on) wait();
  }
  function wait() {
    timer = setTimeout(() => {
      const there = next();
      go(there);
      if (next() === at) play(false); else wait();
    }, Number(byId("pace").value) * (steps[at].fights.length ? 1.5 : 1));
  }
  const jump = (step) => { play(false); go(step); };

  // Size of the map: 0 is all of it, others are steps of a quarter from the size at which it can be read.
  function size() {
    if (!drawn) return;
    const [wide, high] = game.size;
    const fits = Math.min(map.clientWidth, map.clientHeight * wide / high);
    const read = Math.max(game.least, fits);
    const now = zoom === null ? fits : read * Math.pow(1.25, zoom);
    const middle = at < 0 ? [.5, .5] : [(map.scrollLeft + map.clientWidth / 2) / map.scrollWidth, (map.scrollTop + map.clientHeight / 2) / map.scrollHeight];
    board.style.width = `${Math.floor(now)}px`;
    board.style.height = `${Math.floor(now * high / wide)}px`;
    map.scrollLeft = middle[0] * map.scrollWidth - map.clientWidth / 2;
    map.scrollTop = middle[1] * map.scrollHeight - map.clientHeight / 2;
  }
  function grow(by) {
    if (zoom === null) zoom = by > 0 ? 0 : null;
    else zoom = Math.max(-4, Math.min(6, zoom + by));
    size();
  }
  const whole = () => { zoom = zoom === null ? 0 : null; size(); };

  const buttons = [];
  function list() {
    buttons.length = 0;
    const items = [];
    steps.forEach((one, number) => {
      if (!counts(number)) return;
      for (const words of one.fights) {
        const item = document.createElement("li"), button = document.createElement("button");
        button.type = "button";
        button.textContent = text(words);
        button.addEventListener("click", () => jump(number));
        item.append(button);
        items.push(item);
        buttons.push([button, number]);
      }
    });
    byId("fights").replaceChildren(...items);
    byId("battles").textContent = items.length ? `Battles (${items.length})` : "No battles";
  }

  game.parts.forEach(([name], number) => {
    const option = document.createElement("option");
    option.value = number;
    option.textContent = name;
    byId("turn").append(option);
  });
  list();
  for (const [id, way] of WAYS) byId(id).addEventListener("click", () => jump(way()));
  byId("play").addEventListener("click", () => play(!timer));
  range.addEventListener("input", () => jump(Number(range.value)));
  byId("turn").addEventListener("change", (event) => jump(game.parts[Number(event.target.value)][1]));
  byId("seat").addEventListener("change", (event) => { seat = Number(event.target.value); list(); tell(at); });
  byId("smaller").addEventListener("click", () => grow(-1));
  byId("larger").addEventListener("click", () => grow(1));
  byId("whole").addEventListener("click", whole);
  document.querySelectorAll(".chart svg").forEach((svg) => svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
    jump(Math.round((x - svg.dataset.left) / (svg.dataset.right - svg.dataset.left) * last));
  }));
  const KEYS = {
    ArrowLeft: () => jump(before()), ArrowRight: () => jump(next()), Home: () => jump(0), End: () => jump(last),
    PageUp: () => jump(turn(-1)), PageDown: () => jump(turn(1)), b: () => jump(fight(1)), B: () => jump(fight(-1)),
    "+": () => grow(1), "-": () => grow(-1), 0: whole, " ": () => play(!timer),
  };
  addEventListener("keydown", (event) => {
    const tag = event.target.tagName;
    if (event.ctrlKey || event.altKey || event.metaKey || tag === "SELECT" || !(event.key in KEYS)) return;
    if (event.target === map && /^(Arrow|Page|Home|End)/.test(event.key)) return; // scrolls
    if (event.key === " " && (tag === "BUTTON" || tag === "SUMMARY")) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  addEventListener("hashchange", () => { if (/^#\d+$/.test(location.hash)) jump(Number(location.hash.slice(1)) - 1); });
  addEventListener("resize", size);
  size();
  go(/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) - 1 : 0);
})();
