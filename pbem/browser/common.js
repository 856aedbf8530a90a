// The parts that the board and the first page share.

export const $ = (id) => document.getElementById(id);
const KEY = "pbem-token";
if (location.hash.length > 1) {
  sessionStorage.setItem(KEY, location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
}
export const GAME = () => sessionStorage.getItem("pbem-game") ?? "";
export const GONE = "pbem no longer answers. Start it again at the terminal: what you have ordered is kept.";

const mine = () => ({ "X-Pbem-Token": sessionStorage.getItem(KEY) ?? "", "X-Pbem-Game": GAME() });

const LATE = 700; // ms after which one wonders
let unanswered = 0, watching = 0;

export async function ask(name, body, type) {
  unanswered++;
  watching ||= setTimeout(watch, LATE);
  try {
    return await send(name, body, type);
  } finally {
    if (!--unanswered) {
      clearTimeout(watching);
      watching = 0;
      waits("");
    }
  }
}

async function watch() {
  // An answer is late: is something asked for at the terminal?
  const answer = await send("waits", "{}").catch(() => ({ ok: false }));
  if (!unanswered) return;
  waits(answer.ok ? answer.value.text : "");
  watching = setTimeout(watch, LATE);
}

function waits(asked) {
  // Above all else, a dialog too.
  const box = $("waits") ?? el("p", { id: "waits", role: "alert" });
  if (!asked) return box.remove();
  box.textContent = `pbem needs an answer at the terminal, the window in which you started it. It asks there: “${asked}”. A passphrase is asked for once each time pbem starts, and is never typed into a page. This page goes on by itself as soon as you have answered there.`;
  const parent = document.querySelector("dialog[open]") ?? document.body;
  if (box.parentElement !== parent) parent.append(box);
}

async function send(name, body, type = "application/json") {
  const answer = await fetch(`/${name}`, { method: "POST", headers: { "Content-Type": type, ...mine() }, body });
  return { ok: answer.ok, value: await answer.json() };
}

export const picture = (digest) => fetch(`/ground/${digest}`, { headers: mine() });

export const bare = (text) => text.replaceAll("`", ""); // what is typed stands between them

export function el(tag, more = {}, ...inside) {
  // Words are text, never markup.
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(more)) {
    if (name === "do") made.addEventListener("click", value);
    else if (name === "text") made.textContent = bare(value);
    else if (name === "title") made.title = bare(value);
    else if (name in made && typeof value === "boolean") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...inside.filter((each) => each !== null));
  return made;
}
