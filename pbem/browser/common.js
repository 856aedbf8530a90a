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

export async function ask(name, body, type = "application/json") {
  const answer = await fetch(`/${name}`, { method: "POST", headers: { "Content-Type": type, ...mine() }, body });
  return { ok: answer.ok, value: await answer.json() };
}

export const picture = (digest) => fetch(`/ground/${digest}`, { headers: mine() });

export function el(tag, more = {}, ...inside) {
  // Words are text, never markup.
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(more)) {
    if (name === "do") made.addEventListener("click", value);
    else if (name === "text") made.textContent = value;
    else if (name in made && typeof value === "boolean") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...inside.filter((each) => each !== null));
  return made;
}
