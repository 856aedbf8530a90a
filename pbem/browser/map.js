// The map: a sheet that is moved and scaled by transform alone, and drawn anew when it has come to rest.

import { $ } from "/common.js";

export let A = null; // its size, and the places
export let spotOf = {}; // the middles of each place
let corners = [];
export const at = { x: 0, y: 0, scale: 1 };
const REST = 80; // milliseconds without a movement after which the map is drawn anew
const does = { hit: () => {}, rest: () => {}, hover: () => {} };

export function watch(doing) {
  Object.assign(does, doing);
}

export function lay(area) {
  A = area;
  spotOf = {};
  corners = [...A.cell.matchAll(/(-?\d+) (-?\d+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
  for (const [key, x, y] of A.spots) (spotOf[key] ??= []).push([x, y]);
  for (const each of [$("over"), $("ground")]) {
    each.setAttribute("width", A.width);
    each.setAttribute("height", A.height);
  }
  $("over").setAttribute("viewBox", `0 0 ${A.width} ${A.height}`);
  $("hits").replaceChildren(...Object.entries(A.shapes).map(([key, d]) => shape(key, "b-spot", d)));
  for (const each of $("hits").children) each.dataset.k = each.dataset.p;
}

function svg(tag, more) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(more)) made.setAttribute(name, value);
  return made;
}

const shape = (key, name, d) => svg("path", { d, class: name, "data-p": key });

export function outline(keys, name) {
  // Of all these places, as one element: a hundred of them take long to lay out.
  const cell = ([x, y]) => `M${corners.map(([a, b]) => `${a + x} ${b + y}`).join("L")}Z`;
  const d = keys.map((key) => A.shapes[key] ?? (spotOf[key] ?? []).map(cell).join("")).join("");
  return d ? [shape(keys.join(" "), name, d)] : [];
}

export function way(keys) {
  // A line of supply or a bond, from place to place.
  const spots = keys.flatMap((key) => (spotOf[key] ?? []).slice(0, 1));
  return spots.length > 1 ? [svg("path", { d: `M${spots.map((each) => each.join(" ")).join("L")}`, class: "b-way" })] : [];
}

export function aim([from, to]) {
  // A fight that is ordered: from who takes part towards the goal.
  const [start, goal] = [from, to].map((key) => spotOf[key]?.[0]);
  if (!start || !goal || from === to) return [];
  const along = (share) => [0, 1].map((n) => Math.round(start[n] + (goal[n] - start[n]) * share));
  const [[ax, ay], [bx, by], [cx, cy]] = [along(0.3), along(0.6), along(0.74)];
  const [px, py] = [(cy - by) * 0.8, (bx - cx) * 0.8];
  return [svg("line", { x1: ax, y1: ay, x2: bx, y2: by, class: "b-aim" }), svg("path", { d: `M${cx} ${cy}L${bx + px} ${by + py}L${bx - px} ${by - py}Z`, class: "b-tip" })];
}

// Moving it

let resting = 0;
const touches = new Map();
let dragged = false;

export function move(x = at.x, y = at.y, scale = at.scale) {
  if (!A) return;
  const box = $("map").getBoundingClientRect();
  at.scale = Math.min(4, Math.max(Math.min(box.width / A.width, box.height / A.height) * 0.9, scale));
  const keep = 60; // of the map stays in sight
  at.x = Math.min(box.width - keep, Math.max(keep - A.width * at.scale, x));
  at.y = Math.min(box.height - keep, Math.max(keep - A.height * at.scale, y));
  $("sheet").style.transform = `translate(${at.x}px,${at.y}px) scale(${at.scale})`;
  clearTimeout(resting);
  resting = setTimeout(rest, REST);
}

export const rested = { at: 0 }; // when it was last drawn anew, for measuring

async function rest() {
  if (touches.size && dragged) return;
  $("map").classList.remove("moving");
  await does.rest();
  requestAnimationFrame(() => requestAnimationFrame(() => (rested.at = performance.now())));
}

export const level = () => (at.scale * 63 > 22 ? "close" : at.scale * 63 > 12 ? "sheet" : "whole"); // by how high a counter is

export function zoom(factor, x, y) {
  const box = $("map").getBoundingClientRect();
  const [px, py] = [x ?? box.width / 2, y ?? box.height / 2];
  const old = at.scale;
  move(at.x, at.y, at.scale * factor);
  const real = at.scale / old;
  move(px - (px - at.x) * real, py - (py - at.y) * real);
}

export function fit() {
  if (!A) return;
  const box = $("map").getBoundingClientRect();
  const scale = Math.min(box.width / A.width, box.height / A.height);
  move((box.width - A.width * scale) / 2, (box.height - A.height * scale) / 2, scale);
}

const PLACE = 60; // from the middle of a place to its edge
const FINGER = 4 / 3; // how much larger counters are on a small screen

export function crowd(spots, scale = at.scale) {
  // The one around which the window shows the most of them.
  const box = $("map").getBoundingClientRect();
  const [width, height] = [box.width / scale, box.height / scale];
  const near = ([x, y]) => spots.filter(([a, b]) => Math.abs(a - x) < width / 2 && Math.abs(b - y) < height / 2).length;
  return spots.reduce((best, each) => (near(each) > near(best) ? each : best), spots[0]);
}

export function seek(spots) {
  // None of what is asked now is in sight, with all of its place: there.
  const box = inSight(), around = PLACE * at.scale;
  const within = (from, size) => from > around && from < size - around;
  const seen = ([x, y]) => within(at.x + x * at.scale, box.width) && within(at.y + y * at.scale, box.height);
  if (spots.length && !spots.some(seen)) centre(crowd(spots));
}

export function home(spots) {
  // As large as makes a counter easy to hit, or all of it if that is little less.
  const box = $("map").getBoundingClientRect();
  const wanted = (A.cell ? 30 / 63 : 28 / 30) * (innerWidth > 700 ? 1 : FINGER);
  fit();
  if (at.scale > wanted * 0.8) return;
  const scale = wanted;
  centre(spots.length ? crowd(spots, scale) : [A.width / 2, A.height / 2], scale);
}

function inSight() {
  // The window onto the map, without what lies over its lower edge.
  const box = $("map").getBoundingClientRect();
  return { width: box.width, height: box.height - ($("film").hidden ? 0 : $("film").offsetHeight) };
}

function centre([x, y], scale = at.scale) {
  // As near to the middle of the window as the edges of the map allow.
  const box = inSight();
  const fits = (size, room, point) => (size * scale < room ? (room - size * scale) / 2 : Math.min(0, Math.max(room - size * scale, room / 2 - point * scale)));
  move(fits(A.width, box.width, x), fits(A.height, box.height, y), scale);
}

export function bring(spot, margin = 20) {
  // Into sight, if it is not.
  const box = inSight();
  const [x, y] = [at.x + spot[0] * at.scale, at.y + spot[1] * at.scale];
  if (x < margin || y < margin || x > box.width - margin || y > box.height - margin) centre(spot);
}

export function spot(key) {
  // Where a place is in the window.
  const box = $("map").getBoundingClientRect();
  const [x, y] = spotOf[key][0];
  return [box.x + at.x + x * at.scale, box.y + at.y + y * at.scale];
}

// What the pointer does

const OWN = "#text,#film"; // what lies on the map and is clicked itself
const glide = () => $("map").classList.add("moving"); // a layer of its own, until it rests

$("map").addEventListener("pointerdown", (event) => {
  if (event.target.closest(OWN)) return;
  touches.set(event.pointerId, [event.clientX, event.clientY]);
  dragged = dragged && touches.size > 1;
  event.currentTarget.setPointerCapture(event.pointerId);
});
$("map").addEventListener("pointermove", (event) => {
  const was = touches.get(event.pointerId);
  if (!was) return event.pointerType === "mouse" && hover(event);
  const now = [event.clientX, event.clientY];
  const far = Math.hypot(now[0] - was[0], now[1] - was[1]);
  if (!dragged && far < 6) return;
  dragged = true;
  glide();
  const box = $("map").getBoundingClientRect();
  const other = [...touches].find(([id]) => id !== event.pointerId)?.[1];
  if (other) {
    const reach = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]) || 1;
    zoom(reach(now) / reach(was), other[0] - box.left, other[1] - box.top);
  } else move(at.x + now[0] - was[0], at.y + now[1] - was[1]);
  touches.set(event.pointerId, now);
});
for (const kind of ["pointerup", "pointercancel"])
  $("map").addEventListener(kind, (event) => {
    touches.delete(event.pointerId);
    if (!touches.size && dragged) move();
    if (kind === "pointerup" && !dragged && event.button === 0 && !event.target.closest(OWN)) does.hit(under(event), event.shiftKey);
    if (!touches.size) dragged = false;
  });
$("map").addEventListener("wheel", (event) => {
  event.preventDefault();
  glide();
  const box = $("map").getBoundingClientRect();
  zoom(Math.exp(-event.deltaY / 500), event.clientX - box.left, event.clientY - box.top);
}, { passive: false });
$("map").addEventListener("pointerleave", () => does.hover([], 0, 0));

let hovering = 0;
function hover(event) {
  // What lies under a mouse that is held still.
  clearTimeout(hovering);
  does.hover([], 0, 0);
  hovering = setTimeout(() => event.target.isConnected && does.hover(under(event), event.clientX, event.clientY), 90);
}

function under(event) {
  // The keys of what is drawn there, inner first; of hexes the nearest one. A counter, a name or a flag is meant for the
  // place that it stands for, and not for one beneath it.
  const drawn = document.elementsFromPoint(event.clientX, event.clientY), stands = drawn.findIndex((each) => each.closest("#over [data-at]"));
  const keys = drawn.slice(0, stands < 0 ? undefined : stands + 1).map((each) => each.closest("#over [data-k]")?.dataset.k);
  if (stands >= 0) keys.push(drawn[stands].closest("[data-at]").dataset.at);
  if (A?.cell) {
    const box = $("map").getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left - at.x) / at.scale, (event.clientY - box.top - at.y) / at.scale];
    const far = ([, a, b]) => (a - x) ** 2 + (b - y) ** 2;
    const near = A.spots.reduce((best, each) => (far(each) < far(best) ? each : best), A.spots[0]);
    if (near && far(near) < 70 ** 2) keys.push(near[0]);
  }
  return [...new Set(keys.filter(Boolean))];
}
