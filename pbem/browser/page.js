// The page of pbem/browser: it shows what the server answers, and turns clicks and keys into calls. What may be clicked,
// and what it says, is known there alone. Words of players are text nodes; only pictures that pbem drew are markup.

import { $, GAME, GONE, ask, bare, el, picture } from "/common.js";
import { open as answers } from "/answers.js";
import { A, aim, at, bring, fit, home, lay, level, move, outline, rested, seek, spot, spotOf, watch, way, zoom } from "/map.js";

let S = null; // what there is, as the server last said
let C = null; // what may be clicked next: next, ends, ready
let picks = [], verb = "", group = {}, via = false, count = 0, place = "";
let editing = null; // a line of the draft that is changed: its number, and the verbs that it may have
let values = {}; // what stands in the fields of a card, by their words
let filling = null; // a field of a card, and what stands between its words
let looked = {}; // places that an answer names, with what it says of each
let drawnWays = []; // lines that it names
let sketched = ""; // the order that is being put together
let instead = []; // other ways to what was ordered last
const have = {};
let calls = 0; // that have not been answered
const MANY = 40; // places
const NAMED = 3; // places that are buttons, too
const POINTED = 6; // places of a question that is worth moving the map for
const AROUND = 110; // a battle, its dice and arrows lie
const FEW = 4; // that take part in a fight, and its place, are named where it is said what is picked
const LINES = 3; // of the position that are not folded
const LONG = 12; // lines of a list
const FIELDS = 4; // of a card from which on they are folded
const WHYS = 3; // that are told beside a field
const FIGHTS = 4; // that are told at once
const TRIED = 12; // orders of a group at once
const DICE = 8; // of a fight that are shown at once
const clicked = { at: 0, lit: 0 }; // when, for measuring

async function call(name, asked = {}) {
  calls++;
  try {
    const answer = await ask(name, JSON.stringify(asked));
    if (answer.ok) return answer.value;
    if (answer.value.code === "E-STALE") take(await call("state", { have }));
    alert(answer.value.sentence);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    alert(GONE);
  } finally {
    calls--;
  }
  return null;
}

function alert(sentence) {
  $("alert").textContent = plain(sentence);
}

function upward() {
  // To the prompt, beside which stands what is new.
  $("move").scrollTop = $("rest").scrollTop = $("side").scrollTop = 0;
}

const reveal = (box) => box.scrollIntoView({ block: "nearest" }); // what the player asked for

// What is there

function take(state) {
  if (!state) return;
  const before = A && S;
  S = state;
  if (!editing && !verbOf(verb)) verb = ""; // it was of a decision that is over
  for (const key of Object.keys(held)) if (!S.first.includes(key)) delete held[key];
  if (before && (S.question !== before.question || S.seat !== before.seat)) place = measuring = verb = ""; // they were of another question
  paint(S.parts);
  drop(false);
  alert("");
  tell();
  const onward = before && S.prompt !== before.prompt;
  if (S.said.length || onward) upward();
  if (onward) $("prompt").animate?.([{ backgroundColor: "#f6d24a66" }, { backgroundColor: "transparent" }], STILL ? 0 : 900);
  $("then").replaceChildren();
  if (S.seals && !S.seat) foretell();
  if (A && !before) again();
  else if (onward && A) lookAt(before);
}

function lookAt(before) {
  // What is asked now: a battle, places that the question names, a few places, or a question of units elsewhere.
  const fought = S.fights.length === 1 ? middles([S.fights[0].key]) : [];
  const named = middles(S.prompt.split(/[^\w-]+/).map((word) => `p:${word}`));
  if (fought.length) bring(fought[0], AROUND);
  else if (named.length) seek(named);
  else if (places().length && places().length <= POINTED) seek(places());
  else if (S.seat !== before.seat || S.question !== before.question) seek(waiting());
}

function waiting() {
  // The player's own units, those that can be ordered about if there are any: the place of each.
  const units = (which) => S.acting.flatMap((where) => (S.at[where] ?? []).filter(which).flatMap(() => middles([where])));
  const ready = units((each) => S.first.includes(each.key));
  return ready.length ? ready : units(() => true);
}

async function foretell() {
  // All is ordered: what the dice decide, and who is next, is asked for when the rest is shown.
  const answer = await ask("preview", "{}");
  const { undone = [], after = [], rev } = answer.ok && answer.value.seals ? answer.value : {};
  const lines = rev === S.rev ? [...undone.filter((text) => !S.said.includes(`Note: ${text}`)), ...after] : [];
  $("then").replaceChildren(...lines.map((text) => el("li", { text: plain(text) })));
}

const STILL = matchMedia("(prefers-reduced-motion: reduce)").matches;

async function spread(digest) {
  // The picture of the ground is a file of its own, which browsers keep.
  have.ground = digest;
  calls++;
  const answer = await picture(digest).finally(() => calls--);
  if (!answer.ok || have.ground !== digest) return;
  URL.revokeObjectURL($("ground").src);
  $("ground").src = URL.createObjectURL(await answer.blob());
}

function paint(parts) {
  const css = part(parts, "css");
  if (css !== null) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [sheet];
  }
  if (parts.ground && parts.ground[0] !== have.ground) spread(parts.ground[0]);
  const defs = part(parts, "defs");
  if (defs !== null) $("over").firstElementChild.innerHTML = defs;
  const area = part(parts, "area");
  if (area !== null) lay(area);
  for (const name of Object.keys(parts).filter((each) => each.startsWith("layer-"))) {
    let layer = $(name);
    if (!layer) {
      layer = document.createElementNS("http://www.w3.org/2000/svg", "g");
      layer.id = name;
      $("over").append(layer);
    }
    const markup = part(parts, name);
    if (markup !== null) layer.innerHTML = markup;
  }
  $("over").append($("aims")); // above the counters
  const text = part(parts, "text");
  if (text !== null) [$("text").textContent, $("text").hidden, $("sheet").hidden] = [text, false, true];
  const panels = part(parts, "panels");
  if (panels !== null) shown.panels = panels;
}

const shown = { panels: [] };

function part(parts, name) {
  const [digest, value] = parts[name] ?? ["", null];
  if (value !== null) have[name] = digest;
  return value;
}

let suggested = false; // is who takes part our suggestion, which nobody has touched?
let whence = ""; // why some are ticked already
const held = {}; // by goal: fights that were put together and not given

function hold() {
  const [ready] = C?.ready ?? [];
  if (ready && gathers(ready.verb) && picks.length && !editing && !S.plans && !suggested) held[picks[0]] = { text: ready.text, picks, verb, values };
}

const forgotten = () => Object.values(held).map((each) => `Put together, but not given: ${each.text}.`);

async function resume(goal) {
  const kept = held[goal];
  drop(false);
  [picks, verb, values, place] = [[...kept.picks], kept.verb, kept.values, goal];
  await reckon();
}

function discard() {
  // On purpose: it is not held.
  C = null;
  drop();
}

function drop(light = true) {
  hold();
  [suggested, whence] = [false, ""];
  $("told").textContent = "";
  [looked, drawnWays, notes] = [{}, [], {}];
  $("chances").replaceChildren();
  [picks, group, count, via, C, values, editing] = [[], {}, 0, false, null, {}, null];
  if (light) {
    verb = measuring = "";
    alert("");
    tell();
  }
}

// The map

watch({
  hit: (keys, shift) => {
    if (!filling) upward(); // what is chosen, and what may be done with it, is in sight
    return choose(keys, shift, true);
  },
  rest: () => {
    if (!film) sessionStorage.setItem(KEPT(), JSON.stringify(at));
    return A.levels && level() !== have.level && near();
  },
  hover,
});

async function near() {
  // A large map is drawn anew, as closely as it is looked at now.
  have.level = level();
  if (film) return roll(film.opens ? null : film.number, film.whole, false);
  const found = await call("state", { have });
  if (!found) return;
  if (found.rev !== S.rev) return take(found);
  paint(found.parts);
  light(offered());
}

const middles = (keys) => keys.flatMap((each) => (spotOf[each] ?? []).slice(0, 1));

function places() {
  // Where something can be done.
  const held = Object.keys(S.at).filter((each) => S.at[each].some((piece) => S.first.includes(piece.key)));
  return middles([...new Set([...held, ...S.first])]);
}

const KEPT = () => `pbem-map-${S.name}-${innerWidth}`;

function again() {
  // Where it was looked at last; at first where the player's own units are.
  const kept = JSON.parse(sessionStorage.getItem(KEPT()) ?? "null");
  if (kept === null) return home(waiting());
  move(kept.x, kept.y, kept.scale);
}

function show(key) {
  // Into sight, if it is not.
  const [spot] = spotOf[key.startsWith("p:") ? key : placeOf(key)] ?? [];
  if (spot) bring(spot);
}

const placeOf = (unit) => Object.keys(S.at).find((each) => S.at[each].some((piece) => piece.key === unit)) ?? "";
const pieceOf = (unit) => (S.at[placeOf(unit)] ?? []).find((piece) => piece.key === unit);

// What is told of the places that are lit, and of what the mouse points at

let notes = {}; // by place: what it costs to go there, and whether that stops the unit
let noting = 0;

function note() {
  // Asked for when the click has long been lit.
  notes = {};
  clearTimeout(noting);
  const [unit] = [...picks, ...Object.keys(group)];
  if (!unit?.startsWith("u:") || !A) return;
  noting = setTimeout(async () => {
    const answer = await ask("notes", JSON.stringify({ key: unit }));
    if (!answer.ok || unit !== (picks[0] ?? Object.keys(group)[0])) return;
    notes = answer.value.places;
    if ($("list").open) listNow(offered());
  }, 150);
}

async function crowd() {
  // Which goals are not for all that are picked together: found out when the click has long been lit, a few at a time,
  // those first where something stands already.
  const mine = C, all = together();
  if (all < 2) return;
  const left = Object.keys(mine.ends).sort((one, other) => (S.at[other]?.length ?? 0) - (S.at[one]?.length ?? 0));
  while (left.length && C === mine) {
    const ends = Object.fromEntries(left.splice(0, Math.max(1, Math.floor(TRIED / all))).map((goal) => [goal, kindOf(goal)]));
    const answer = await ask("room", JSON.stringify({ rev: S.rev, group, ends }));
    if (!answer.ok || C !== mine) return;
    mine.room = { ...mine.room, ...answer.value.room };
    if (Object.keys(answer.value.room).length) light(offered());
  }
  if (C === mine && $("list").open) listNow(offered());
}

const together = () => Object.values(group).reduce((sum, many) => sum + many, 0); // how many are picked
const some = (key) => C?.room?.[key] && `only ${C.room[key].many} of the ${together()} units picked can go there`;
const noted = (key) => [name(key), some(key) ?? notes[key] ?? looked[key]].filter(Boolean).join(": ");
let peeked = "";

async function hover(keys, x, y) {
  const here = keys.find((key) => key.startsWith("p:")) ?? placeOf(keys[0] ?? "");
  const unit = keys.find((key) => key.startsWith("u:"));
  $("tip").hidden = !here;
  if (here) {
    // In the corner that is farther away, so that it hides nothing that is pointed at.
    $("tip").textContent = [noted(here), unit && name(unit)].filter(Boolean).join("\n");
    const box = $("map").getBoundingClientRect();
    $("tip").classList.toggle("right", x - box.x < box.width / 2);
  }
  await peek(unit && !C && !film && !S.own.includes(here) && !Object.keys(looked).length ? unit : "");
}

async function peek(unit) {
  // An enemy unit under the mouse shows its reach, for as long as it is pointed at.
  if (unit === peeked) return;
  const before = peeked;
  peeked = unit;
  if (!unit) return before && light(offered());
  const answer = await ask("notes", JSON.stringify({ key: unit }));
  if (answer.ok && peeked === unit) light(offered(), Object.keys(answer.value.places));
}

// Choosing: keys are of one place, inner first

const offered = () => (C ? Object.keys({ ...C.next, ...C.ends }) : S.first); // what may be clicked now
const lit = (key) => (C ? key in C.next || key in C.ends : S.first.includes(key));

async function choose(keys, stop = false, drawn = false) {
  if (film) return alert("You are looking at an earlier moment. “Back to now” brings back your move.");
  if (!S || !keys.length) return;
  clicked.at = performance.now();
  if (filling?.[0].isConnected) return fill(keys);
  $("standing").open = false; // the order gets the room
  if (C?.ready.some((each) => each.undone)) drop(); // whoever goes on ordering does not end the phase yet
  alert("");
  const here = keys.find((key) => key.startsWith("p:"));
  if (measuring && (here || placeOf(keys[0]))) return measured(here || placeOf(keys[0]));
  if (S.plans && verb) {
    picks.push(keys.join("|"));
    return reckon();
  }
  if (here) place = here;
  const chosen = Object.keys(group);
  const stops = here && !C?.open && picks.length > (C?.picks.length ?? 0); // on the way, which the places that are lit do not know
  if ((stop || via) && here && (picks.length || chosen.length)) {
    picks = [...(C?.open ?? picks), here];
    [via, C] = [false, C && { ...C, open: undefined, ready: [] }];
    return tell();
  }
  if (stops) return chosen.length ? goTogether(here) : refuse(here);
  const again = C && keys.find((each) => picks.indexOf(each) > 0);
  const gathering = picks[0]?.startsWith("p:") && Object.keys(C?.verbs ?? {}).some(gathers);
  if (again && gathering) return toggle(again);
  const key = keys.find((each) => C && each in C.ends && picks.length + chosen.length) ?? keys.find((each) => C && each in C.next);
  if (key) return onward(key);
  const slot = [...$("ready").querySelectorAll(".fields button, .fields option:enabled")].find((each) => keys.includes(`u:${each.value || each.textContent}`));
  if (slot) return into(slot);
  const [unit] = Object.keys(chosenUnits());
  const beside = unit && (picks.length < 2 || C?.open) && keys.find((each) => S.first.includes(each) && each.startsWith("u:") && placeOf(each) === placeOf(unit));
  const begins = keys.find((each) => S.first.includes(each));
  if (drawn && begins && hides(begins)) return unfold(begins);
  if (beside) return most(beside) < 2 && chosenUnits()[beside] ? putBack(beside) : join(beside);
  if (begins) return start(begins);
  if (!picks.length && !chosen.length && !C?.verbs) return here || keys[0].startsWith("u:") ? about(keys[0]) : barred(keys[0]);
  if (chosen.length) return goTogether(keys[0] === here ? keys[0] : here ?? keys[0]);
  return refuse(keys[0] === here || !picks.length ? keys[0] : here ?? keys[0]);
}

const most = (unit) => pieceOf(unit)?.able ?? pieceOf(unit)?.many ?? 1; // of it can be ordered about
const able = (where) => (S.at[where] ?? []).filter((each) => each.key && S.first.includes(each.key));

function hides(unit) {
  // Does its place hold several of the player's own units, of which the map does not show each?
  const drawn = (each) => document.querySelector(`#over g[data-k="${CSS.escape(each.key)}"]`);
  return able(placeOf(unit)).length > 1 && !able(placeOf(unit)).every(drawn);
}

function unfold(unit) {
  // The pile is listed; which of its units is meant, nobody knows yet. Those that are picked from it stay so.
  if (placeOf(Object.keys(chosenUnits())[0] ?? "") !== placeOf(unit)) drop(false);
  place = placeOf(unit);
  tab("move");
  tell();
}

const chosenUnits = () => (picks[0]?.startsWith("u:") ? { [picks[0]]: 1 } : group); // and how many of each

async function putBack(unit) {
  const rest = { ...chosenUnits() };
  if (!--rest[unit]) delete rest[unit];
  const [one, ...others] = Object.keys(rest);
  if (!one) return discard();
  const alone = !others.length && rest[one] === 1;
  [picks, group] = [alone ? [one] : [], alone ? {} : rest];
  await reckon();
}

let measuring = "", planning = false;

async function measured(goal) {
  looked = { [measuring]: "", [goal]: "" };
  $("told").textContent = (await call("measure", { start: measuring, goal }))?.text ?? "";
  light(offered());
}

const why = async (key) => (S.seat ? (await call("pick", { rev: S.rev, picks: [key] }))?.why ?? "" : "");

async function about(key, looks = !able(key).length) {
  // What the game can tell of it; of what the player might want to order about and cannot, also why.
  drop(false);
  const found = await call("about", { key });
  if (!found) return;
  const own = key.startsWith("u:") ? S.own.includes(placeOf(key)) : S.first.some((each) => each.startsWith("p:")) || S.acting.includes(key);
  const not = (own || !found.text) && !able(key).length ? await why(key) : "";
  $("told").textContent = [plain(not), bare(found.text)].filter(Boolean).join("\n");
  [looked, drawnWays] = [found.places, found.ways];
  tell();
  if (looks) reveal($("told"));
}

async function barred(key) {
  // A card, or another thing beside the map, that cannot be chosen now.
  const not = await why(key);
  drop(false);
  tell();
  alert(not || "Nothing can be ordered now.");
}

function undecided() {
  // What was clicked and is not ordered yet, when something else is begun; fights that are put together are held.
  const [ready] = C?.ready ?? [], was = S.draft[editing?.line]?.orders[0];
  if (editing) return ready && sketched !== was ? [`Not changed: ${was}. “Change the order” would make it: ${sketched}.`] : [];
  if (ready && C.open) return [`Not ordered, since you had not chosen how: ${C.ready.map((each) => each.text).join(" / ")}.`];
  return ready && picks[0]?.startsWith("p:") && !gathers(ready.verb) ? [`Not ordered: ${ready.text}. That click only prepares the order; “${GIVE}” gives it.`] : [];
}

async function start(key) {
  const asked = count, [lost] = undecided();
  await begin(key, asked);
  if (lost && !$("alert").textContent) alert(lost);
}

async function begin(key, asked) {
  drop(false);
  place = placeOf(key) || place;
  const many = Math.min(asked || 1, most(key));
  if (many > 1) {
    group = { [key]: many };
    return reckon();
  }
  if (key.startsWith("v:")) return alone(key.slice(2));
  if (key.startsWith("c:")) tab("move"); // on a small screen the hand hides what can be done with it
  if (key.startsWith("w:")) count = asked;
  picks = [key];
  await reckon();
}

async function join(key, many = count || 1) {
  // A further unit of the place, or one more of the same.
  group = { ...chosenUnits() };
  picks = [];
  group[key] = Math.min(most(key), (group[key] ?? 0) + many);
  count = 0;
  await reckon();
}

async function onward(key) {
  if (some(key)) return alert(`${name(key)}: ${some(key)}. ${C.room[key].why}`);
  if (C.open) picks = [...C.open]; // one changes one's mind: another instead of the last
  const done = C.ends[key];
  if (!done || done.some(([word]) => gathers(word))) {
    picks.push(key);
    return reckon();
  }
  picks.push(key);
  await say(done);
}

const GIVE = "Give this order";
const rank = (word) => (editing?.verbs ?? S.verbs).findIndex((each) => each.word === word);
const commonFirst = (kinds) => [...kinds].sort(([one], [other]) => rank(one) - rank(other)); // kinds of order come with the rarer ones last

async function say(found) {
  // Of several kinds of order the most common one is meant, unless another was chosen first; the others are offered instead.
  const done = commonFirst(found);
  if (asks(...done[0]) || spends(picks)) {
    const several = done.map(([word, text]) => ({ verb: word, text, said: verbOf(word)?.about ?? "" }));
    const alike = Object.keys(group).length ? null : await call("pick", { rev: S.rev, picks, verb, line: changing() });
    const said = (each) => alike?.ready.find((one) => one.text === each.text) ?? each; // in words, unless it is a group's
    offerWays(several.map(said));
    upward();
    return tell();
  }
  await give(done[0][1], done.slice(1));
}

function offerWays(ready) {
  // Several orders end with the last click. What else could have been clicked there still can be.
  const { next, ends, names, open = picks.slice(0, -1) } = C;
  C = { next, ends, names, ready, open, picks: [...picks] };
}

async function refuse(key) {
  const stem = C?.open ?? picks;
  const found = await call("pick", { rev: S.rev, picks: [...stem, key], verb, line: changing() });
  if (!found) return;
  const done = commonFirst(found.ready.map((each) => [each.verb, each.text]));
  if (done.length && !asks(...done[0]) && !spends([...stem, key]) && (done.length < 2 || !Object.keys(found.next).length)) return give(done[0][1], done.slice(1));
  if (found.ready.length || Object.keys(found.next).length) {
    picks = [...stem, key];
    heard(found);
  } else alert(found.why);
  tell();
}

async function goTogether(key) {
  // All that are picked, by the same stops: an order for each, or which of them cannot, and why.
  const stops = C?.open ?? picks, ways = [];
  for (const [unit, many] of Object.entries(group)) {
    const found = await call("pick", { rev: S.rev, picks: [unit, ...stops, key], verb });
    if (!found) return;
    if (!found.ready.length) {
      const who = name(unit).split(": ")[0], why = found.why || found.lacks || "This is not a complete order yet.";
      alert(why.includes(who) ? why : `${who}: ${why}`);
      return tell();
    }
    ways.push(Object.fromEntries(found.ready.map((each) => [each.verb, many > 1 ? `${many} x ${each.text}` : each.text])));
  }
  const words = Object.keys(ways[0]).filter((word) => ways.every((each) => word in each));
  const done = commonFirst(words.map((word) => [word, ways.map((each) => each[word]).join("; ")]));
  if (done.length) return give(done[0][1], done.slice(1));
  alert("No single kind of order takes all the units that are picked. Give each its own order.");
  tell();
}

function heard(found) {
  // `picks` and `group`: those that it is said of, to which one comes back when more are refused.
  C = { ...found, picks: [...picks], group: { ...group } };
}

const changing = () => (editing ? editing.line : null);

async function gather(keys) {
  const found = await call("gather", { rev: S.rev, picks: [picks[0]], keys, verb, line: changing() });
  if (found) picks = found.picks;
}

let reckoned = 0; // how often it was asked

async function reckon() {
  delete held[picks[0]];
  const chosen = Object.keys(group).length, number = ++reckoned;
  const found = await call("pick", { rev: S.rev, picks, verb, group: chosen ? group : null, line: changing() });
  if (!found || number !== reckoned) return; // something else has been clicked meanwhile
  if (found.why && verb === going && !editing) {
    verb = ""; // it was not chosen for this, but stayed from the last order
    return reckon();
  }
  if (found.why) {
    alert(found.why);
    [picks, group] = [C?.picks ?? [], C?.group ?? {}]; // what was selected before stays so
    if (!C) drop(false);
    return tell();
  }
  heard(found);
  const gathering = picks.length === 1 && !editing && Object.keys(C?.verbs ?? {}).some(gathers);
  const offers = gathering ? Object.keys({ ...C.next, ...C.ends }) : [];
  const kept = gathering ? remembered(picks[0].slice(2), ones(offers)) : undefined, alone = offers.length === 1 && !kept;
  const there = offers.filter((key) => alone || kept?.[key.slice(2)]);
  if (there.length) {
    [suggested, whence] = [alone, alone ? "This is the only one that can take part, so it is ticked." : "Ticked are those that you chose for this place before."];
    await gather(there);
    if (picks.length > 1) return reckon();
  }
  note();
  crowd();
  if (goalsBeside().length) seek(middles(goalsBeside()));
  const may = S.verbs.some((each) => each.alone); // go on without it
  const looks = !verb && picks.length === 1 && (picks[0].startsWith("p:") || (may && picks[0].startsWith("u:"))); // one may only want to see what is there
  if (C && C.ready.length === 1 && !Object.keys(C.next).length && !asks(C.ready[0].verb) && !spends(picks) && !S.plans && !looks) return give(C.ready[0].text);
  count = 0;
  tell();
}

async function alone(word, set = "") {
  // It says all: what is held is let go. `set`: the standing order that was set while this was asked; it still is.
  const lost = undecided();
  drop();
  const found = await call("pick", { rev: S.rev, picks: [], verb: word });
  if (!found) return;
  if (found.ready.length !== 1 || Object.keys(found.next).length || asks(word) || S.plans) return narrow(word);
  const follows = await call("follows", { rev: S.rev, verb: word });
  if (!follows) return;
  const left = [...lost, ...forgotten(), ...follows.undone];
  if (!left.length && !set) return give(found.ready[0].text);
  verb = word;
  C = { next: {}, ends: {}, ready: [{ ...found.ready[0], undone: left, set, then: follows.then }] };
  tell();
  upward();
  $("ready").querySelector(".order")?.focus({ preventScroll: true });
}

async function narrow(word) {
  going = "";
  verb = verb === word && !picks.length ? "" : word;
  if (!verb && !picks.length) return drop();
  await reckon();
}

const verbOf = (word) => (editing?.verbs ?? (S.plans ? S.ahead : S.verbs)).find((each) => each.word === word);
const parts = (word) => verbOf(word)?.parts ?? [];
const gathers = (word) => Boolean(verbOf(word)?.gathers);
const asks = (word, text = "") => gathers(word) || parts(word).some((each) => word !== verb || !text.split(" ").includes(each.word)); // it is given when that is said
const spends = (keys) => keys.some((key) => key.startsWith("c:")); // a card, which does not come back

async function give(line, others = [], plan = false) {
  const goes = picks.length + Object.keys(group).length > 1; // else a further click would spend something unasked
  const chosen = goes && !editing && !plan ? verb : ""; // stays chosen
  const word = chosen || (picks[0]?.startsWith("w:") ? line.split(" ")[0] : ""), { question } = S;
  const times = count > 1 && picks[0]?.startsWith("w:") ? `${count} x ` : "";
  const replies = editing || plan ? "" : S.answer;
  const answer = await (editing ? call("change", { rev: S.rev, line: editing.line, text: line, have }) : call("order", { rev: S.rev, line: times + line, plan, have }));
  count = 0;
  if (!answer) return refused(line);
  if (!editing) delete held[picks[0]];
  [verb, instead, C] = ["", others, null];
  take(answer);
  if (S.question === question && S.verbs.some((each) => each.word === word && !each.alone)) await goOn(word);
  if (replies && S.seals && !S.seat) await sealing("", replies === "only");
}

let going = ""; // the kind of order that stays chosen after one

async function goOn(word) {
  // With the same kind of order, if any is left.
  const found = await call("pick", { rev: S.rev, picks: [], verb: word });
  if (!found || found.why) return;
  verb = going = word;
  heard(found);
  tell();
}

function refused(line) {
  // Nothing that is selected is dropped: a card stays, to be mended; else there is another goal.
  if (C && asks(line.split(" ")[0])) return;
  if (C && !C.open && picks.at(-1) in C.ends) picks.pop(); // the goal that was clicked last
  if (!C) drop(false);
  tell();
}

async function edit(n) {
  // An order of the draft is put together anew, in its place.
  const found = await call("edit", { rev: S.rev, line: n });
  if (!found) return;
  drop(false);
  [editing, picks, verb, values, place] = [found, found.picks, found.verb, found.values, ""];
  tab("move");
  upward();
  await reckon();
}

async function exchange([, text]) {
  const undone = await call("undo", { rev: S.rev, have });
  if (!undone) return;
  const others = instead;
  take(undone);
  await give(text, others.filter((each) => each[1] !== text));
}

const halfMade = () => Boolean(editing || picks.length || Object.keys(group).length || C?.ready.length);

function back() {
  // An order that is only half made goes first.
  if (!halfMade()) return $("undo").disabled || undo(1);
  const what = [verb, ...Object.keys(group), ...picks].filter(Boolean).map((key) => (key.includes(":") ? name(key).split(": ")[0] : key)).join(" ");
  discard();
  alert(`Dropped the unfinished order: ${what}. Your draft is unchanged.`);
}

async function undo(lines) {
  const answer = await call("undo", { rev: S.rev, count: lines, have });
  instead = [];
  if (answer) take(answer);
}

// Showing

const full = (key) => C?.names?.[key] ?? S.labels[key.split("|")[0]] ?? key.slice(2);
const name = (key) => (key.startsWith("w:") ? full(key).split(":")[0] : full(key)); // what a word means is said apart

function button(key, text, more = {}) {
  const chosen = picks.includes(key) || key in group;
  return el("button", { "data-k": key, "aria-pressed": String(chosen), class: lit(key) ? "lit" : "", text, do: () => choose([key]), ...more });
}

function tell() {
  const focused = document.activeElement?.closest("#side [data-k]");
  const [focus, listed] = [focused?.dataset.k, $("list").contains(focused)];
  $("title").textContent = S.title;
  document.title = `${S.title} – pbem`;
  $("moment").textContent = plain([S.seat || (S.draft.length ? "" : S.moment), S.head, S.lines[0]].filter(Boolean).join(" · "));
  const whose = S.seat && !S.prompt.slice(0, 60).includes(S.seat) ? `${S.seat}: ` : "";
  const asked = S.seat ? `${whose}${S.prompt}${S.sealed ? " (sealed)" : ""}` : S.draft.length ? ended() : S.owed.join(". ") || S.moment;
  $("prompt").textContent = plain(S.result || asked);
  $("odds").textContent = S.odds;
  $("odds").hidden = !S.odds;
  foughtNow();
  $("news").replaceChildren(...S.news.map((text) => el("li", { text: plain(text) })));
  const rows = [...S.notices, ...S.said].map((text) => el("li", {}, ...settable(text, alert))), more = rows.splice(LONG);
  $("said").replaceChildren(...rows, ...(more.length ? [el("li", {}, el("details", {}, el("summary", { text: `${more.length} more` }), el("ul", {}, ...more)))] : []));
  chosenNow();
  readyNow();
  hereNow();
  othersNow();
  const keys = offered();
  const cards = C || !keys.some((key) => /^[up]:/.test(key)); // else they are chosen in the hand
  const goals = goalsBeside();
  wordsNow(keys.filter((key) => key.startsWith("w:") || (cards && key.startsWith("c:")) || goals.includes(key)));
  verbsNow();
  listNow(keys);
  const kinds = [...$("verbs").querySelectorAll("[data-k]:not(.says)")].map((each) => [each.textContent, each.title]).filter(([, about]) => about);
  $("about").hidden = !kinds.length;
  $("about").lastElementChild.replaceChildren(...kinds.map(([word, about]) => el("p", {}, el("b", { text: word }), `: ${bare(about)}`)));
  draftNow();
  panelsNow();
  light(keys);
  $("end").textContent = S.seat && S.draft.length ? "Seal so far …" : (S.draft.length && NEXT[S.stop]?.[0]) || END;
  $("end").disabled = !S.seals;
  $("end").title = S.seals ? "" : "There are no orders to seal.";
  $("end").classList.toggle("main", S.seals && !S.seat); // else something is still to be ordered
  if (focus && !focused.isConnected) {
    const again = document.querySelector(`${listed ? "#list" : "#side"} [data-k="${CSS.escape(focus)}"]`);
    (again ?? (listed ? $("list").querySelector("button") ?? $("list").firstElementChild : null))?.focus();
  }
  clicked.lit = performance.now();
}

function foughtNow() {
  // What was fought since the last click, with its dice; where they are many, those are folded.
  const die = ([number, hit]) => el("span", { class: hit ? "die hit" : "die", text: String(number) });
  const dice = (each) => el("span", { class: "dice" }, ...each.dice.map(die));
  const asks = (each) => (each.asks ?? []).map((text) => el("p", {}, ...settable(text, (set) => { each.asks = [set]; tell(); })));
  const after = (each) => [each.means ? el("small", { text: each.means }) : null, ...asks(each)];
  const row = (each) => (each.dice.length > DICE
    ? el("li", {}, each.text, ...after(each), el("details", {}, el("summary", { text: `${each.dice.length} dice` }), dice(each))) : el("li", {}, dice(each), each.text, ...after(each)));
  const rows = S.fights.map(row), more = rows.splice(FIGHTS);
  const brief = (each, n) => el("button", { title: "All of it is below.", do: () => reveal(rows[n]) }, each.dice.length > DICE ? null : dice(each), `${each.brief} ↓`);
  $("fought").replaceChildren(...S.fights.slice(0, FIGHTS).map(brief)); // beside the question, which may leave no room below
  $("fights").replaceChildren(...rows, ...(more.length ? [el("li", {}, el("details", {}, el("summary", { text: more.length === 1 ? "1 more battle" : `${more.length} more battles` }), el("ul", {}, ...more)))] : []));
}

function verbsNow() {
  const ahead = S.plans ? el("button", { text: "Plan for afterwards …", "aria-expanded": String(planning), do: () => { planning = !planning; tell(); } }) : null;
  const offers = (each) => each.alone || !picks.length || !C?.verbs || each.word in C.verbs;
  const made = (each) => el("button", {
    "data-k": `v:${each.word}`, "aria-pressed": String(verb === each.word), text: each.says ? spoken(S.answer === "only" ? `${each.says.replace(/\.$/, "")}, and seal that` : each.says, each.word) : each.word, title: each.about,
    class: each.says ? "says" : "", do: () => (each.alone ? alone(each.word) : narrow(each.word)),
  });
  const offered = (planning && ahead ? S.ahead : S.verbs).filter(offers);
  $("verbs").replaceChildren(...(ahead ? [ahead] : []), ...[false, true].flatMap((last) => offered.filter((each) => Boolean(each.says) === last)).map(made)); // what ends something comes last
}

const spoken = (says, text) => `${says.replace(/\.$/, "")} (${text})`; // in words, and as it is typed
const COMMAND = /(?:, with|,|:) `(?:standing [^`]*|[^`]*\b[A-Z]{3,}\b[^`]*)`|(?<=\?) `[^.?]*\.?/g; // how something is typed: there is a button for it, or a click
const plain = (text) => bare(text.replace(COMMAND, ""));

function undone(lines, set, again) {
  // What names a standing order (`standing KIND POLICY`) has a button that sets it.
  const row = (text) => el("li", {}, ...settable(text, again));
  return [...(set ? [el("p", { class: "set", role: "status", text: set })] : []), ...list("Left undone", lines, row)];
}

function settable(text, again) {
  const [, kind, policy] = text.match(/`standing (\S+) ([^`]+)`/) ?? [];
  const set = async () => {
    const found = await call("set_standing", { rev: S.rev, seat: "", kind, text: policy });
    const state = found && (await call("state", { have }));
    if (!state) return;
    take({ ...state, said: S.said, fights: S.fights }); // what was told before is told still
    const { now } = found.rows.find((each) => each.kind === kind && each.text === policy) ?? { now: [policy] };
    await again(`Your standing order is set. ${kind.replaceAll("_", " ")}: ${now.join(" ")}`);
  };
  const told = plain(text);
  return [kind ? told.replace(/((?:^|\. )To [^.]*)\.$/, "$1:") : told, " ", kind ? el("button", { text: "Set this standing order", title: `${kind.replaceAll("_", " ")}: ${policy}`, do: set }) : null];
}

function list(title, lines = [], row = (text) => el("li", { text: plain(text) })) {
  const rows = lines.map(row), more = rows.splice(LONG);
  const folded = more.length ? [el("details", {}, el("summary", { text: `${more.length} more` }), el("ul", {}, ...more))] : [];
  return rows.length ? [el("h3", { text: title }), el("ul", {}, ...rows), ...folded] : [];
}

function goalsBeside() {
  // Where what was picked beside the map can go, if that is hardly more than one place: it need not be looked for.
  const goals = C && /^[wc]:/.test(picks[0] ?? "") ? offered().filter((key) => key.startsWith("p:")) : [];
  return goals.length <= NAMED ? goals : [];
}

function wordsNow(words) {
  // Several kinds of order may begin with a word: each kind has a row of its own.
  const kind = (key) => (C ? "" : S.kinds[key] ?? "");
  const kinds = [...new Set(words.map(kind))];
  const row = (each) => [
    kinds.length > 1 ? el("span", { class: "kind", text: each }) : null,
    ...words.filter((key) => kind(key) === each).flatMap((key) => [button(key, name(key).replace(/^, /, ""), { title: full(key) }), allThere(key)]),
  ].filter(Boolean);
  $("words").replaceChildren(...kinds.flatMap(row));
}

function allThere(goal) {
  // All that there are of what is picked, to one of the few places where it can go.
  const most = stock(picks[0]);
  return C && most > 1 && goal.startsWith("p:") ? el("button", { text: `All ${most}: ${name(goal)}`, do: () => { count = most; return choose([goal]); } }) : null;
}

const sorting = new Intl.Collator("en", { numeric: true });
const inOrder = (keys) => keys.map((key) => [name(key), key]).sort(([one], [other]) => sorting.compare(one, other)).map(([, key]) => key);

function listNow(keys) {
  const many = inOrder(keys.filter((key) => !/^[wv]:/.test(key)));
  $("list").firstElementChild.textContent = many.length === 1 ? "Show the one thing that can be clicked" : `Show the ${many.length} things that can be clicked`;
  $("list").hidden = !many.length;
  if (!$("list").open) return;
  const focus = $("list").contains(document.activeElement) ? document.activeElement.dataset.k : "";
  $("list").lastElementChild.replaceChildren(...many.map((key) => button(key, [noted(key), enemies(key)].filter(Boolean).join(": "), { do: () => fromList(key) })));
  if (focus) $("list").querySelector(`[data-k="${CSS.escape(focus)}"]`)?.focus();
}

async function fromList(key) {
  // What opens above the list comes into sight.
  await choose([key]);
  if ($("ready").firstElementChild) reveal($("ready").firstElementChild);
}

function enemies(key) {
  // Those that stand there: a hex alone says little of what would be attacked.
  const there = key.startsWith("p:") && !S.own.includes(key) ? S.at[key] ?? [] : [];
  return there.map((each) => [each.many > 1 ? each.many : "", each.label.split(": ")[0]].filter(Boolean).join(" ")).join(", ");
}

const NEXT = { // by what comes next: the button, what is said of it, and the button that seals
  dice: ["Seal and roll …", "Dice come next.", "Seal, and roll the dice"],
  cards: ["Seal and deal …", "Cards come next.", "Seal, and deal the cards"],
  answers: ["Seal so far …", "Your orders so far must be sealed first; then a sealed standing order is opened.", "Seal, and open the answer"],
  openings: ["Seal the choice …", "Your choice is hidden until all have chosen.", "Seal the choice"],
  bots: ["End turn …", "The bot comes next.", "Seal, and let the bot play"],
  reply: ["Seal so far …", "The bot has to answer before the game goes on.", "Seal, and let the bot answer"],
  over: ["End the game …", "That ends the game.", "Seal, and end the game"],
};
const END = "End turn …";

function ended() {
  const plan = S.plans ? " You may plan orders for afterwards: they are carried out if they are legal then." : "";
  const press = S.seals ? ` Press “${(NEXT[S.stop]?.[0] ?? END).replace(" …", "")}”, above on the right.` : "";
  return `${NEXT[S.stop]?.[1] ?? "That is all that can be ordered now."}${press}${plan}`;
}

function chosenNow() {
  const short = (key) => name(key).split(": ")[0];
  const units = editing || S.plans ? {} : chosenUnits();
  const chip = ([key, many]) => el("button", { class: "chip", text: `${many > 1 ? "−" : "×"} ${most(key) > 1 ? `${many} x ` : ""}${short(key)}`, "aria-label": many > 1 ? `One fewer: ${short(key)}` : `Put back ${short(key)}`, do: () => putBack(key) });
  const fights = picks[0]?.startsWith("p:") && picks.length > FEW && Object.keys(C?.verbs ?? {}).some(gathers); // all of them are ticked below
  const joins = (key) => /^[up]:/.test(key), [goal, ...others] = picks;
  const rest = fights ? [short(goal), `${others.filter(joins).length} take part`, ...others.filter((key) => !joins(key)).map(short)] : picks.filter((key) => !(key in units)).map(short);
  const all = [...Object.keys(units), ...rest];
  $("chosen").replaceChildren(...stepper(), ...(all.length || verb ? [
    el("button", { text: "Deselect (Esc)", do: discard }),
    el("span", { text: [editing && `Line ${editing.line + 1}`, verb].filter(Boolean).join(" › ") }),
    ...Object.entries(units).map(chip),
    el("span", { class: "chain", text: rest.map((each) => `› ${each}`).join(" ") }),
    Object.keys(units).length ? el("button", { text: "Via …", "aria-pressed": String(via), title: "The next place is a stop on the way", do: () => { via = !via; tell(); } }) : null,
  ].filter(Boolean) : []));
}

const stock = (key) => S.able[key] ?? 0; // of what this word stands for may be ordered at once

function stepper() {
  // How many of what has a word, such as units that were bought, are ordered at once. It comes first, so that it stays
  // where it is, whatever stands beside it.
  const most = stock(picks[0]);
  if (!most) return count ? [el("span", { text: `${count} x` })] : [];
  count = Math.min(count, most);
  const put = (number) => { count = Math.min(most, Math.max(1, number)); tell(); };
  return [el("button", { text: "−", "aria-label": "One fewer", disabled: count < 2, do: () => put((count || 1) - 1) }), el("span", { class: "times", text: `${count || 1} x` }),
    el("button", { text: "+", "aria-label": "One more", disabled: (count || 1) >= most, do: () => put((count || 1) + 1) }),
    most > 1 ? el("button", { text: `All ${most}`, disabled: count === most, do: () => put(most) }) : null].filter(Boolean);
}

function readyNow() {
  filling = null;
  sketched = picks.map((key) => key.slice(2)).join(" ");
  const cards = (aside().length ? [] : C?.ready ?? []).map(card);
  const others = instead.map((each) => el("button", { text: each[1], do: () => exchange(each) }));
  const waits = S.plans && verb && C?.lacks ? [el("p", { text: C.lacks })] : [];
  const kept = Object.entries(held).filter(([goal]) => goal !== picks[0]).map(([goal, each]) => el("div", { class: "order" }, el("p", { text: "Put together, but not given:" }), el("code", { text: each.text }),
    el("div", { class: "row" }, el("button", { text: "Go on with it", do: () => resume(goal) }), el("button", { text: "Discard", do: () => { delete held[goal]; tell(); } }))));
  $("ready").replaceChildren(...party(), ...waits, ...cards, ...kept, ...(others.length && !halfMade() ? [el("div", { class: "order" }, el("p", { text: "Another way instead:" }), el("div", { class: "row" }, ...others))] : []));
}

function aside() {
  // Orders that a unit says alone, while it may also be sent somewhere: they are not what a click on it is mostly for.
  const goes = C && Object.keys({ ...C.next, ...C.ends }).some((key) => key.startsWith("p:"));
  return goes && picks.length === 1 && picks[0].startsWith("u:") && !editing && !S.plans ? C.ready : [];
}

function othersNow() {
  const rest = aside();
  $("others").hidden = !rest.length;
  if (!rest.length) $("others").open = false;
  $("others").firstElementChild.textContent = `Other orders for this unit: ${[...new Set(rest.map((each) => each.verb))].join(", ")}`;
  $("others").lastElementChild.replaceChildren(...rest.map(card));
}

function party() {
  // Who takes part in what is being ordered, each with a box to tick.
  const word = Object.keys(C?.verbs ?? {}).find(gathers);
  if (!word || !picks[0]?.startsWith("p:")) return [];
  const there = inOrder([...new Set([...picks.slice(1), ...Object.keys({ ...C.next, ...C.ends })])].filter((key) => /^[up]:/.test(key)));
  const box = (key) => {
    const made = el("input", { type: "checkbox", checked: picks.includes(key), "data-k": key });
    made.addEventListener("change", () => toggle(key));
    const units = key.startsWith("p:") ? (S.at[key] ?? []).map((each) => each.key.slice(2)) : [];
    return el("label", {}, made, [name(key), ...(units.length ? [units.join(", ")] : [])].join(": "));
  };
  const set = async (keys) => { picks = [picks[0]]; await gather(keys); return ticked(); };
  const all = el("div", { class: "row" }, el("button", { text: "All", "aria-label": "All take part", disabled: picks.length > there.length, do: () => set(there) }),
    el("button", { text: "None", "aria-label": "None take part", disabled: picks.length < 2, do: () => set([]) }));
  const how = whence || (there.length ? (picks.length < 2 ? "Nothing is ticked yet: tick all that are to take part." : `${picks.length - 1} of ${there.length} ticked.`) : "");
  return [el("fieldset", { class: "party" }, el("legend", { text: `Takes part: ${word} ${name(picks[0])}` }), how ? el("p", { text: how }) : null, there.length > 1 ? all : null, ...there.map(box), C.lacks ? el("p", { text: C.lacks }) : null)];
}

async function toggle(key) {
  picks = picks.includes(key) ? picks.filter((each) => each !== key) : [...picks, key];
  await ticked();
}

const ticks = {}; // by place: how many of each were ticked last for a fight there (`taken`), of how many (`among`)
const ones = (keys) => Object.fromEntries(keys.map((key) => [key.slice(2), 1]));

function remember(where, among, taken) {
  ticks[where] = { among: { ...ticks[where]?.among, ...among }, taken };
}

function remembered(where, among) {
  // Nothing, where others can take part by now: nobody has said yet what they are to do.
  const known = ticks[where]?.among ?? {};
  if (Object.entries(among).some(([word, most]) => !(known[word] >= most))) delete ticks[where];
  return ticks[where]?.taken;
}

async function ticked() {
  [suggested, whence] = [false, ""];
  const goal = picks[0];
  const keep = () => remember(goal.slice(2), ones([...picks.slice(1), ...Object.keys({ ...C?.next, ...C?.ends })]), ones(picks.slice(1)));
  keep();
  await reckon();
  if (picks[0] === goal) keep(); // without those that are refused
}

function card(order, n) {
  const fields = parts(order.verb).map((each) => [each, field(each)]);
  const plans = S.plans && !editing;
  const only = el("input", { size: "18", spellcheck: "false", title: S.facts?.length ? `Such as ${S.facts[0]} = 1. There are: ${S.facts.join(", ")}` : "" });
  const must = el("input", { type: "checkbox", title: "If it is not legal then, the plan stops there" });
  const condition = () => (plans ? [only.value.trim() && `if ${only.value.trim()} then`, must.checked && "must"].filter(Boolean) : []);
  const line = () => [...condition(), order.text, ...fields.map(([each, made]) => value(each, made)).filter(Boolean)].join(" ");
  const told = el("pre", { role: "status" }), said = el("p", { text: order.said }), text = el("code", { text: line() });
  const weighed = () => [order.text, ...fields.filter(([each]) => each.weighs).map(([each, made]) => value(each, made)).filter(Boolean)].join(" ");
  const chances = async () => {
    const asked = weighed(), found = await call("odds", { text: asked });
    if (asked === weighed()) tellOdds(told, found); // else a field has changed meanwhile
  };
  const odds = gathers(order.verb) ? el("button", { text: "Odds", do: async () => { await chances(); reveal(told); } }) : null;
  if (odds && !n) chances();
  const speak = async () => {
    // What is set in the fields is part of the sentence; what is not an order yet has none.
    const asked = line(), answer = await ask("sentence", JSON.stringify({ rev: S.rev, text: asked, line: changing() }));
    if (asked === line()) said.textContent = answer.ok ? bare(answer.value.said) : "";
  };
  if (!plans && order.said && fields.some(([each, made]) => value(each, made))) speak();
  const draw = () => {
    text.textContent = line();
    if (!n) sketched = line();
  };
  draw();
  for (const [each, made] of fields) {
    made.addEventListener("input", () => { draw(); light(offered()); });
    if (!plans && order.said) made.addEventListener("change", speak);
    if (odds && each.weighs) made.addEventListener("change", chances);
  }
  if (fields.some(([each]) => each.kind !== "flag") && !S.plans) offer(order, fields);
  const help = verbOf(order.verb)?.help;
  const only_if = plans && S.facts.length ? [el("label", {}, "only if", only)] : [];
  const more = fields.length || plans ? unfolding(fields, only_if, plans ? must : null) : null; // above the odds while it is open
  const gives = editing ? "Change the order" : plans ? "Plan this" : order.undone?.length ? "Go on all the same" : order.undone ? "Go on" : GIVE;
  return el("div", { class: "order", tabindex: "-1" }, order.said ? said : null, text, ...undone(order.undone ?? [], order.set, (set) => alone(order.verb, set)), ...list("What comes next", order.then),
    el("div", { class: "row gives" }, el("button", { class: "main", text: gives, do: () => give(line(), [], plans) }), odds, order.undone ? el("button", { text: "Not yet", do: discard }) : null, more && !more.open ? el("button", { text: "More to set", do: () => { more.open = unfolded = true; reveal(more); } }) : null), told, more,
    help ? el("details", {}, el("summary", { text: "How it is typed" }), el("p", { class: "help", text: help })) : null);
}

let unfolded = false; // were the fields of a card opened last?

function unfolding(fields, only_if, must) {
  // Where they are many, they are folded until one of them is wanted; then they stay open.
  const rows = fields.map(([each, made]) => el("div", { class: "field", "data-label": each.label }, el("label", {}, each.label, made, each.help ? el("small", { text: plain(each.help) }) : null), el("div", { class: "row", "data-field": each.word })));
  const box = el("details", { class: "more", open: unfolded || fields.length < FIELDS || fields.some(([each]) => values[each.word]) },
    el("summary", { do: () => (unfolded = !box.open) }), el("div", { class: "fields" }, ...only_if, ...(must ? [el("label", {}, "must", must)] : []), ...rows));
  titled(box);
  return box;
}

function titled(box) {
  const labels = [...box.querySelectorAll(":scope > .fields > .field")].map((one) => one.dataset.label);
  box.firstElementChild.textContent = labels.length ? `More to set: ${labels.join(", ")}` : "More to set";
}

async function offer(order, fields) {
  // What may stand in the fields: a word that the rules forbid now says why, and a list has buttons beside it.
  calls++;
  const answer = await ask("values", JSON.stringify({ rev: S.rev, text: order.text, line: changing() })).finally(() => calls--), told = new Set();
  for (const [each, made] of answer.ok ? fields : []) {
    for (const option of each.kind === "words" ? made.options : []) {
      const not = answer.value.barred[each.word]?.[option.value];
      option.disabled = Boolean(not);
      if (not) [option.text, option.title] = [`${option.value}: not now`, bare(not)];
    }
    made.can = answer.value.open[each.word];
    const whys = [...new Set(Object.values(answer.value.barred[each.word] ?? {}))], more = whys.splice(WHYS);
    if (!made.isConnected) continue;
    if (made.can) listed(each, made);
    const reasons = [...whys, ...(more.length ? [`and ${more.length} more reasons`] : [])].join(" ");
    const none = made.can ? !made.can.length : made.options && [...made.options].every((option) => option.disabled || !option.value);
    const not = el("small", { class: "not", text: reasons });
    if (reasons && !told.has(reasons)) made.closest(".field").append(none ? not : el("details", {}, el("summary", { text: "Why not the others?" }), not)); // two fields may lack the same
    told.add(reasons);
    if (!made.value && none) shut(each, made);
  }
}

function shut(each, made) {
  // A field in which nothing can be set goes to the end of the card, folded; its reason stands there.
  const fields = made.closest(".fields"), folded = fields.nextElementSibling?.matches(".shut") ? fields.nextElementSibling : el("details", { class: "shut" }, el("summary"), el("div", { class: "fields" }));
  fields.after(folded);
  folded.lastElementChild.append(made.closest(".field"));
  made.disabled = true;
  titled(folded.closest(".more"));
  folded.firstElementChild.textContent = `Not possible here: ${[...folded.querySelectorAll(".field")].map((one) => one.dataset.label).join(", ")}`;
}

function listed(each, made) {
  // Buttons that put a word into the field, or take it out.
  const held = (word) => (each.joined ? `${each.joined}${made.value}${each.joined}`.includes(`${each.joined}${word}${each.joined}`) : made.value === word);
  const without = (word) => `${each.joined}${made.value}${each.joined}`.replace(`${each.joined}${word}${each.joined}`, each.joined).slice(each.joined.length).replace(new RegExp(`${each.joined}$`), "");
  const buttons = made.can.map((word) => el("button", { type: "button", text: word, title: S.labels[`u:${word}`] ?? "", do: () => {
    put(made, !each.joined ? (held(word) ? "" : word) : held(word) ? without(word) : [made.value, word].filter(Boolean).join(each.joined));
    if (each.joined && word.includes(each.joined) && held(word)) made.focus(); // a way: what is clicked next goes on from there
  } }));
  const told = () => buttons.forEach((button, n) => button.setAttribute("aria-pressed", String(held(made.can[n]))));
  made.addEventListener("input", told);
  told();
  made.closest(".field").querySelector(".row").replaceChildren(...buttons);
}

function into(slot) {
  // What is clicked on the map takes part in the order in a field of its own.
  const box = slot.closest("details.more");
  if (!box.open) box.open = unfolded = true;
  if (slot.matches("option")) put(slot.parentElement, slot.value);
  else slot.click();
  reveal(box);
}

function put(made, text) {
  made.value = text;
  for (const event of ["input", "change"]) made.dispatchEvent(new Event(event));
}

function field(each) {
  let made;
  if (each.kind === "flag") made = el("input", { type: "checkbox", checked: Boolean(values[each.word]) });
  else if (each.kind === "words") made = el("select", {}, el("option", { value: "", text: "–" }), ...each.words.map((word) => el("option", { value: word, text: word })));
  else {
    made = el("input", { size: "12", spellcheck: "false", placeholder: each.thing === "w" ? "" : "click it on the map", title: "Type it, or click it on the map" });
    made.addEventListener("focus", () => {
      filling = [made, each.joined || " ", each.thing];
      if (made.can?.length && each.thing === "u") light(made.can.map((word) => `u:${word}`));
    });
  }
  if (each.kind !== "flag") made.value = values[each.word] ?? "";
  made.addEventListener("input", () => (values[each.word] = each.kind === "flag" ? made.checked : made.value));
  return made;
}

function fill(keys) {
  // What is clicked goes into the field of the card that was entered last.
  const [made, joined, thing] = filling;
  const mine = (key) => key.startsWith("u:") && (thing === "u" || picks.includes(key) || lit(key));
  const word = (keys.find((key) => made.can?.includes(key.slice(2))) ?? keys.find(mine) ?? keys.find((key) => key.startsWith("p:")) ?? keys[0]).slice(2);
  put(made, joined === " " ? word : [made.value, word].filter(Boolean).join(joined));
  made.focus();
}

function value(each, made) {
  if (each.kind === "flag") return made.checked ? each.word : "";
  return made.value.trim() ? `${each.word} ${made.value.trim()}` : "";
}

function hereNow() {
  const units = S.at[place] ?? [];
  const mine = able(place);
  const rows = units.map((each) => {
    const able = each.able ?? each.many;
    const text = [each.many > 1 ? `${each.label} x ${each.many}` : each.label, able && able < each.many ? `(${able} can still be ordered)` : ""].filter(Boolean).join(" ");
    return each.key ? button(each.key, text, { disabled: false }) : el("span", { text });
  });
  const all = mine.length && (mine.length > 1 || (mine[0].able ?? mine[0].many) > 1)
    ? el("button", { text: "All", do: async () => { drop(false); group = Object.fromEntries(mine.map((each) => [each.key, each.able ?? each.many])); await reckon(); } }) : null;
  const look = el("button", { text: "Look", title: "What the game can say about this place", do: () => about(place, true) });
  const odds = el("button", { text: "Odds of an attack here", title: "The chances of an attack on this place", do: async () => { await chances(place.slice(2), $("chances")); reveal($("chances")); } });
  const measure = A ? el("button", { text: "Measure from here", "aria-pressed": String(measuring === place), title: "Click another place: how far is it?", do: () => { measuring = measuring === place ? "" : place; tell(); } }) : null;
  const which = mine.length > 1 && !halfMade() ? el("p", { text: "Nothing is picked yet. Click each unit that is to act." }) : null;
  $("here").replaceChildren(...(place ? [el("h2", { text: name(place) }), ...[which].filter(Boolean), el("div", { class: "row" }, ...[all, ...rows, look, units.length ? odds : null, measure].filter(Boolean))] : []));
}

function tellOdds(told, found) {
  // With the ways back drawn on the map.
  told.textContent = bare(found?.text ?? "");
  drawnWays = found?.ways ?? [];
  light(offered());
}

async function chances(text, box) {
  // Of a fight that is only thought of: who takes part is ticked, and the chances follow.
  const found = await call("odds", { text });
  if (!found) return;
  const told = el("pre", { role: "status" });
  tellOdds(told, found);
  const takers = found.party?.takers ?? [], place = text.split(" ")[0];
  const word = (each) => (takers.filter((one) => one.word === each.word).length > 1 ? each.title : each.word); // tanks from here, and from there
  const among = Object.fromEntries(takers.map((each) => [word(each), each.most])), kept = remembered(place, among);
  if (kept) takers.forEach((each) => (each.taken = Math.min(each.most, kept[word(each)] ?? 0)));
  const fields = takers.map((each) => {
    const made = each.most > 1 ? el("input", { type: "number", min: "0", max: String(each.most) }) : el("input", { type: "checkbox", checked: Boolean(each.taken) });
    if (each.most > 1) made.value = each.taken;
    made.addEventListener("change", again);
    return made;
  });
  const taken = () => Object.fromEntries(takers.map((each) => [word(each), Number(each.taken)]));
  async function again() {
    takers.forEach((each, n) => (each.taken = each.most > 1 ? Math.min(each.most, Number(fields[n].value)) : Number(fields[n].checked)));
    const words = takers.filter((each) => each.taken > 0).map((each) => (each.most > 1 ? `${each.taken} ${each.word}` : each.word));
    remember(place, among, taken());
    tellOdds(told, words.length ? await call("odds", { text: [found.party.head, ...words].join(" ") }) : { text: "No unit takes part.", ways: [] });
  }
  const rows = takers.map((each, n) => el("label", {}, fields[n], each.most > 1 ? `of ${each.most} ${each.title}` : each.title));
  if (kept) await again();
  const how = kept ? "Ticked are those that you chose for this place before." : "All that can take part are ticked.";
  box.replaceChildren(...(rows.length ? [el("fieldset", { class: "party" }, el("legend", { text: "Odds of an attack: tick the units that take part" }), el("p", { text: how }), told, ...rows)] : [told]));
}

function counted(said) {
  // Each sentence once, with how often it is said.
  const found = new Map();
  for (const text of said) found.set(text, (found.get(text) ?? 0) + 1);
  const lines = [...found].map(([text, many]) => (many > 1 ? `${many} x ${text}` : text)), more = lines.splice(LINES);
  return [...lines, ...(more.length ? [`and ${more.length} more orders`] : [])];
}

let drafted = 0;
function draftNow() {
  const lines = [...S.draft, ...S.plan];
  $("draft").replaceChildren(...lines.map((line, n) => el("li", {},
    el("div", { class: "row" }, el("span", {}, `${n >= S.draft.length ? "then, if legal: " : ""}${line.left ? "* " : ""}`, ...counted(line.said).map((text) => el("div", { text })), el("small", {}, el("code", { text: line.typed }))),
      line.edits ? el("button", { text: "Edit", "aria-label": `Change ${line.typed}`, do: () => edit(n) }) : null,
      el("button", { text: "Undo to here", "aria-label": `Undo from ${line.typed} on`, do: () => undo(lines.length - n) })))));
  if (lines.length > drafted) reveal($("undo")); // and the last one, above it
  drafted = lines.length;
  $("undo").disabled = !lines.length && !halfMade();
  $("undo").textContent = halfMade() ? "Drop the unfinished order" : "Undo";
  $("reset").disabled = !lines.length;
  $("reset").textContent = "Reset turn";
  $("left").textContent = S.left ? `Your plan stopped: ${S.left.stopped}. Left over: ${S.left.waiting.join("; ")}` : "";
  if (document.activeElement !== $("note")) $("note").value = S.note;
}

function panelsNow() {
  if (drawn !== shown.panels || told !== S.lines.join()) drawPanels();
  const words = S.verbs.filter((each) => !each.alone).map((each) => each.word);
  for (const each of $("panels").querySelectorAll(".now")) each.textContent = words.length === 1 ? `Can be chosen now: ${words[0]}.` : "Can be chosen now.";
  for (const each of $("panels").querySelectorAll("[data-k]")) {
    const key = each.dataset.k;
    each.setAttribute("aria-pressed", String(picks.includes(key) || key in group));
    each.classList.toggle("lit", lit(key));
  }
}

let drawn = null, told = ""; // the panels and lines that are shown
function drawPanels() {
  [drawn, told] = [shown.panels, S.lines.join()];
  const svg = (piece) => {
    const made = button(piece.key, "", { "aria-label": piece.label, title: piece.label });
    made.innerHTML = piece.svg; // drawn by pbem, every word in it escaped
    return made;
  };
  const lines = S.lines.map((text) => el("p", { text })), later = lines.splice(LINES);
  const position = S.lines.length > 1 ? [el("section", { class: "panel" }, el("h2", { text: "Position" }), ...lines, later.length ? el("details", {}, el("summary", { text: "More" }), ...later) : null)] : [];
  const hand = (panel) => panel.rows.some((row) => row.key.startsWith("c:"));
  const box = (panel) => el("section", { class: `panel ${panel.colour ? `e-${panel.colour}` : ""}` },
    el("h2", { text: panel.title }), ...panel.rows.map((row) => el("div", {}, row.key ? button(row.key, row.text) : el("span", { text: row.text }), row.key ? el("small", { class: "now" }) : null, row.about ? el("small", { text: row.about }) : null,
      row.pieces.length ? el("span", { class: "pieces" }, ...row.pieces.map(svg)) : null)));
  $("tabs").querySelector("[data-t=panels]").textContent = shown.panels.some(hand) ? "Cards" : "Position";
  $("panels").replaceChildren(...shown.panels.filter(hand).map(box), ...position, ...shown.panels.filter((each) => !hand(each)).map(box));
}

function courses() {
  // The ways in the order that is being put together and in the fights that are ordered, such as that of a
  // breakthrough: each begins where its unit stands, and goes over the places that are named behind it.
  const others = S.draft.filter((_, n) => n !== changing()).flatMap((each) => each.orders), found = [];
  const fights = others.filter((text) => gathers(text.split(" ")[0]));
  for (const text of [sketched, ...fights]) {
    let course = [];
    const step = (word) => {
      const start = placeOf(`u:${word}`), there = `p:${word}` in spotOf;
      if (start) found.push((course = [start]));
      else if (there) course.push(`p:${word}`);
      return start || there;
    };
    for (const word of text.split(/[ ,]/)) step(word) || word.split("-").forEach(step);
  }
  return found;
}

const kindOf = (key) => commonFirst(C?.ends?.[key] ?? [[""]])[0][0]; // the kind of order that a click there gives

function legendNow(kinds, few) {
  // Several ways of moving have colours of their own; so have goals that are not for all of a group.
  const spent = Object.entries(C?.ends ?? {}).filter(([key]) => spends([key])).map(([key]) => kindOf(key));
  const told = kinds.length > 1 ? kinds.map((kind, n) => [`k${Math.min(n, 3)}`, kind || "a further click"]) : [];
  const how = C && !C.ready?.length && !editing && !S.plans ? [...new Set(Object.keys(C.ends ?? {}).map(kindOf))].filter(Boolean) : []; // kinds that the next click says in full
  const waits = how.filter((word) => asks(word) || spends(picks) || spent.includes(word)), goes = how.filter((word) => !waits.includes(word));
  const says = [goes.length && `${waits.length ? `${goes.join(", ")}: the` : "The"} next click gives the order; Undo takes it back.`, waits.length && `${goes.length ? `${waits.join(", ")}: after` : "After"} the next click, press “${GIVE}”.`].filter(Boolean);
  if (via) says.unshift("The next place that you click is a stop on the way.");
  else if (C && !editing && !C.ready?.length && !how.length && Object.keys(C.next ?? {}).length && picks.length) says.push("Click the next thing that is lit: this order needs more than one further click.");
  if (few.length) told.push(["some", `not for all ${together()} units`]);
  $("legend").replaceChildren(...told.map(([kind, text]) => el("span", {}, el("i", { class: `swatch ${kind}` }), text)));
  $("how").textContent = says.join(" ");
}

function light(keys, peeking = []) {
  const chosen = [...picks, ...Object.keys(group)];
  if (A) {
    const places = keys.filter((key) => key.startsWith("p:"));
    const goals = C || verb || places.length <= MANY ? places : []; // where nearly every place begins an order, none is lit
    const few = goals.filter(some), full = goals.filter((key) => !some(key));
    const kinds = C && chosen.length ? [...new Set(full.map(kindOf))].sort((one, other) => rank(one) - rank(other)) : [""];
    const reach = kinds.flatMap((kind, n) => outline(full.filter((key) => kinds.length < 2 || kindOf(key) === kind), chosen.length && C ? `b-goal k${Math.min(n, 3)}` : "b-begin"));
    reach.push(...outline(few, "b-goal some"));
    legendNow(kinds, few);
    const at = chosen.flatMap((key) => key.split("|")).filter((key) => key.startsWith("p:"));
    $("lit").replaceChildren(...outline([...Object.keys(looked), ...peeking], "b-look"), ...[...drawnWays, ...courses()].flatMap(way), ...reach, ...outline([place], "b-here"), ...outline(at, "b-at"));
    $("aims").replaceChildren(...S.aims.flatMap(aim));
  }
  const there = new Set(keys);
  for (const each of $("over").querySelectorAll("g[data-k]")) {
    each.classList.toggle("lit", there.has(each.dataset.k));
    each.classList.toggle("picked", chosen.includes(each.dataset.k));
  }
}

// The rules, to be read beside the board

$("rules").addEventListener("click", async () => {
  const found = await call("rules");
  if (!found) return;
  $("book").replaceChildren(...found.text.split(/\n(?=#|- |```|\n)/).map((part) => part.trim()).filter((part) => part && part !== "```").map(printed));
  $("reader").showModal();
  $("reader").scrollTop = 0;
});
function printed(part) {
  // A piece of the text: a heading, a rule, a table, a paragraph; what stands between pairs of stars is bold.
  const [, mark, words] = part.match(/^(#+ |- )?([^]*)$/);
  const bold = (text) => bare(text).replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").split("**").map((each, n) => (n % 2 ? el("b", { text: each }) : each.replace(/\*([^*]+)\*/g, "$1")));
  if (part.startsWith("```") || part.startsWith("|")) return el("pre", { text: part.replace(/^```.*\n/, ""), tabindex: "0" });
  return el(mark?.startsWith("#") ? (mark.length < 4 ? "h3" : "h4") : "p", { class: mark === "- " ? "rule" : "" }, ...bold(words));
}
$("shut").addEventListener("click", () => $("reader").close());

// The end of the turn

$("end").addEventListener("click", () => sealing(""));
async function sealing(set, only = false) {
  const found = await call("preview");
  if (!found) return;
  if (only && !found.standing.length && !found.note && !found.plan.length) return seal(); // nothing else goes with it
  hold();
  const texts = (lines) => lines.map((line) => spoken(counted(line.said).join(" "), line.typed));
  const [usual, given] = [true, false].map((preset) => (found.standing ?? []).filter(([, kind]) => (kind === "preset") === preset));
  $("preview").replaceChildren(...(found.seals ? [
    ...undone([...forgotten(), ...found.undone], set, sealing), ...list("What comes next", found.after), ...list("Your message", found.note ? [found.note] : []),
    ...list("Orders to be sealed for good", texts(found.draft)), ...list("Planned orders (your opponents can read them)", texts(found.plan)),
    ...list("Your standing orders", given.map(([seat, kind, , state, says]) => `${seat}, ${kind.replaceAll("_", " ")}: ${says} (${state})`)),
    ...list("Usual answers", usual.map(([seat, , text]) => `The usual answers of ${seat} (${text}); you can change them under “Standing orders”.`)),
  ] : [el("p", { text: "There is nothing to seal yet." })]));
  $("h-sealing").textContent = $("end").textContent.replace(" …", "");
  $("seal").textContent = S.seat ? "Seal so far" : NEXT[S.stop]?.[2] ?? "Seal and send";
  $("seal").disabled = !found.seals;
  if (!$("sealing").open) $("sealing").showModal();
  $("back").focus();
  $("sealing").scrollTop = 0;
}
$("back").addEventListener("click", () => $("sealing").close());
$("seal").addEventListener("click", seal);
async function seal() {
  $("seal").disabled = true;
  $("standing").open = false;
  const answer = await call("send", { rev: S.rev, have });
  $("sealing").close();
  if (!answer) return;
  instead = [];
  place = "";
  planning = false;
  for (const where of Object.keys(ticks)) delete ticks[where]; // of fights that have been fought
  answer.said.push(...answer.posted.map((each) => (each.to.length ? `The file ${each.path} goes to ${each.to.join(", ")}.` : `Give the file ${each.path} to the other players.`)));
  take(answer);
}

// What happened, step by step, on this board

let film = null;
async function past(number, whole) {
  for (;;) {
    const found = await call("past", { number, whole, have });
    if (!found?.progress) return found;
    $("film").hidden = $("reading").hidden = false;
    [$("reading").value, $("reading").max] = found.progress;
  }
}
async function roll(number = null, whole = Boolean(film?.whole), follow = true) {
  const found = await past(number, whole);
  $("reading").hidden = true;
  if (!found) return;
  if (!film) leave();
  film = { ...found, whole, opens: number === null };
  drop(false);
  paint(film.parts);
  for (const each of ["lit", "aims"]) $(each).replaceChildren();
  $("film").hidden = false;
  $("step").textContent = `${film.number + 1} of ${film.count}`;
  const at = film.all.filter(([, first]) => first <= film.number).length - 1;
  $("part").replaceChildren(...(film.earlier ? [el("option", { value: "", text: "Earlier turns …" })] : []), ...film.all.map(([text, first], n) => {
    const made = el("option", { value: String(first), text });
    made.selected = n === at;
    return made;
  }));
  $("gist").textContent = film.changed.length ? `Overall changes: ${film.changed.join(" ")}` : film.lines.join(" ");
  const changed = film.changed.length ? [el("li", {}, el("b", { text: "Overall changes, with an arrow for each move:" }), el("ul", {}, ...film.changed.map((text) => el("li", { text }))))] : [];
  $("happened").replaceChildren(...changed, ...film.lines.map((text) => el("li", { text })), ...film.means.map((text) => el("li", {}, el("small", { text }))));
  $("earlier").disabled = film.number === 0 && !film.earlier;
  $("later").disabled = film.number === film.count - 1;
  panelsNow();
  if (film.middle && follow) bring(film.middle);
}
async function before() {
  // All of the game, where it was left in the part that was at hand at once.
  const count = film.count - film.number;
  const whole = await past(null, true);
  if (whole) await roll(whole.count - count - 1, true);
}
let left = null; // where the map was before
const leave = () => (left = { ...at });
async function live() {
  $("film").hidden = true;
  if (left) move(left.x, left.y, left.scale);
  film = null;
  const found = await call("state", { have });
  if (found?.rev === S.rev) [found.said, found.fights, found.news] = [S.said, S.fights, S.news]; // what was told before is told still
  take(found);
}
$("last").addEventListener("click", () => (film ? live() : roll()));
$("earlier").addEventListener("click", () => film && (film.number ? roll(film.number - 1) : before()));
$("part").addEventListener("change", () => ($("part").value ? roll(Number($("part").value)) : before()));
$("later").addEventListener("click", () => film && roll(film.number + 1));
$("now").addEventListener("click", live);

// Beside the map

$("line").addEventListener("submit", async (event) => {
  event.preventDefault();
  const line = $("typed").value.trim();
  if (!line) return;
  await give(line, [], S.plans && !S.seat);
  if (!$("alert").textContent) $("typed").value = "";
  $("typed").focus();
});
$("typed").addEventListener("input", async () => {
  const found = await call("complete", { line: $("typed").value });
  if (found) $("completions").replaceChildren(...found.lines.map((value) => el("option", { value })));
});
$("ask").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("answer").replaceChildren();
  if (event.submitter?.value === "odds") return chances($("question").value, $("answer"));
  const found = await call("look", { text: $("question").value });
  if (!found) return;
  $("answer").textContent = bare(found.text);
  [looked, drawnWays] = [found.places, found.ways];
  tell();
});
$("note").addEventListener("change", async () => {
  const found = await call("set_note", { rev: S.rev, text: $("note").value });
  if (found) S.rev = found.rev;
});
$("undo").addEventListener("click", back);
$("reset").addEventListener("click", () => {
  if ($("reset").textContent === "Reset turn") $("reset").textContent = "Undo everything?";
  else undo(null);
});
$("list").addEventListener("toggle", () => S && tell());
const asking = { call, rev: () => S.rev, renew: (rev) => (S.rev = rev), fill: (field) => (filling = field) };
$("standing").addEventListener("toggle", () => $("standing").open && answers(asking));
$("ahead").addEventListener("click", () => {
  $("sealing").close();
  tab("draft");
  $("standing").open = true;
  $("standing").scrollIntoView();
  $("standing").querySelector("summary").focus();
});
$("in").addEventListener("click", () => zoom(1.3));
$("out").addEventListener("click", () => zoom(1 / 1.3));
$("fit").addEventListener("click", () => fit());

const TABS = [["move", "Move"], ["draft", "Draft"], ["panels", "Position"], ["ask", "Ask"]];
function tab(which) {
  if (document.querySelector("#side .shown")?.dataset.tab !== which) $("side").scrollTop = 0;
  for (const each of document.querySelectorAll("#side [data-tab]")) each.classList.toggle("shown", each.dataset.tab === which);
  for (const each of $("tabs").children) each.setAttribute("aria-pressed", String(each.dataset.t === which));
}
$("tabs").replaceChildren(...TABS.map(([which, text]) => el("button", { "data-t": which, text, do: () => tab(which) })));
tab("move");

function next() {
  // The next unit that can be ordered about.
  const units = S.first.filter((key) => key.startsWith("u:") && placeOf(key));
  const at = units.indexOf(picks[0] ?? Object.keys(group)[0]);
  if (!units.length) return;
  const key = units[(at + 1) % units.length];
  show(key);
  start(key);
}

document.addEventListener("keydown", (event) => {
  if (!S || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest("input,textarea,select")) {
    if (event.key === "Escape") filling = event.target.blur() ?? null;
    return;
  }
  const step = 80;
  const keys = {
    Escape: () => (film ? live() : discard()), n: next, p: () => $("last").click(), u: back, Backspace: back, "/": () => { tab("move"); $("typed").focus(); },
    l: () => { tab("move"); $("list").open = true; tell(); $("list").querySelector("summary").focus(); },
    e: () => $("end").click(), "+": () => zoom(1.3), "-": () => zoom(1 / 1.3), 0: count ? null : () => fit(),
  };
  if (film) Object.assign(keys, { ArrowLeft: () => $("earlier").click(), ArrowRight: () => $("later").click() });
  else if (event.target === $("map")) Object.assign(keys, {
    ArrowLeft: () => move(at.x + step), ArrowRight: () => move(at.x - step), ArrowUp: () => move(at.x, at.y + step), ArrowDown: () => move(at.x, at.y - step),
  });
  if (/^[0-9]$/.test(event.key) && (count || event.key !== "0")) {
    count = Math.min(99, count * 10 + Number(event.key));
    tell();
  } else if (keys[event.key]) keys[event.key]();
  else return;
  event.preventDefault();
});
$("side").addEventListener("focusin", (event) => {
  const key = event.target.dataset?.k;
  if (key && A) show(key);
});
window.addEventListener("focus", async () => S && !film && !picks.length && refresh());
async function refresh() {
  const found = await call("state", { have });
  if (found && found.rev !== S.rev) take(found);
}
new ResizeObserver(() => $("side").style.setProperty("--chosen", `${$("chosen").offsetHeight}px`)).observe($("chosen")); // what gives an order sticks below it
const small = matchMedia("(max-width:700px)");
function size() {
  $(small.matches ? "bar" : "sizes").append($("size")); // in sight of the thumb
  $("story").open = !small.matches; // one line, so that the map is in sight
}
small.addEventListener("change", size);
size();
let wide = innerWidth;
window.addEventListener("resize", () => {
  if (!A || innerWidth === wide) return move();
  wide = innerWidth;
  again();
});

window.pbemBoard = { choose, clicked, rested, spot, state: () => S, still: () => !calls }; // what measures and tests look at

$("lobby").hidden = !GAME();
take(await call("state", { have }));
