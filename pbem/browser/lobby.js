// The first page of `pbem app`: games, files that came, people. All words are text nodes.

import { $, GONE, ask, el } from "/common.js";

let H = null;

async function call(name, asked = {}, type = undefined) {
  $("alert").textContent = "";
  try {
    const answer = await ask(name, asked instanceof Blob ? asked : JSON.stringify(asked), type);
    if (answer.ok) return answer.value;
    $("alert").textContent = answer.value.sentence;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    $("alert").textContent = GONE;
  } finally {
    $("wait").hidden = true;
  }
  return null;
}

async function act(name, asked, type) {
  show(await call(name, asked, type));
}

function play(game) {
  sessionStorage.setItem("pbem-game", game);
  location.assign("/board");
}

async function save(name, asked) {
  const found = await call(name, asked);
  if (!found) return;
  const bytes = Uint8Array.from(atob(found.data), (each) => each.charCodeAt(0));
  const link = el("a", { href: URL.createObjectURL(new Blob([bytes])), download: found.name });
  link.click();
  URL.revokeObjectURL(link.href);
  if (name === "backup") $("said").replaceChildren(el("li", { text: "The recovery phrase that opens the backup is shown in the terminal. Write it on paper." }));
}

function show(home) {
  $("wait").hidden = true;
  if (!home) return;
  H = home;
  sessionStorage.removeItem("pbem-game");
  $("me").textContent = H.me ? `${H.me.name} · ${H.me.fingerprint}` : "";
  $("begin").hidden = Boolean(H.me);
  $("rooms").hidden = !H.me;
  $("said").replaceChildren(...H.said.map((text) => el("li", { text })));
  gamesNow();
  $("people").replaceChildren(...H.contacts.map((each) => el("p", { class: "row" }, el("b", { text: each.name }), el("span", { text: each.email }), el("code", { text: each.fingerprint }),
    each.sure ? el("span", { text: "compared" }) : el("button", { text: "I have compared it on the phone", do: () => act("confirm", { who: each.name }) }))));
  $("outbox").replaceChildren(...H.outbox.map((each) => el("p", { class: "row" },
    el("button", { text: each.file, do: () => save("file", { name: each.file }) }), el("span", { text: `for ${each.to.join(", ")}` }))));
  $("sync").hidden = !H.mail;
  stock();
}

function gamesNow() {
  const order = (each) => (each.mine ? 0 : each.open ? 1 : 2);
  $("games").replaceChildren(...(H.games.length ? [...H.games].sort((a, b) => order(a) - order(b)).map(game) : [el("p", { text: "None yet. Begin one against the bot, or open an offer that came by mail." })]));
}

let games = null; // that are installed
async function stock() {
  if (games || !H.me) return;
  games = await call("catalogue");
  if (!games) return;
  for (const [id, hidden] of [["loading", true], ["bot", false], ["new", false]]) $(id).hidden = hidden;
  gamesNow();
  fill("bot-game", games.filter((each) => each.bot));
  against();
  fill("which", games);
  $("off").replaceChildren(...["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map((text, n) => el("label", {}, el("input", { type: "checkbox", value: String(1 << n) }), text)));
  chosen();
}

const fill = (id, all) => $(id).replaceChildren(...all.map((each) => el("option", { value: each.name, text: each.title })));

function against() {
  const which = games.find((each) => each.name === $("bot-game").value);
  fill("bot-scenario", which.scenarios);
  fill("bot-side", which.sides);
  told("bot-game", "bot-scenario", "bot-about");
}

function told(game, scenario, where) {
  // What the scenario that is chosen is about.
  const which = games.find((each) => each.name === $(game).value);
  $(where).textContent = which.scenarios.find((each) => each.name === $(scenario).value)?.about ?? "";
}

function apart(each) {
  // What tells a game from another of the same title.
  const scenarios = games?.find((one) => one.title === each.game)?.scenarios ?? [];
  const scenario = scenarios.find((one) => one.name === each.scenario)?.title ?? each.scenario;
  const since = new Date(each.offered * 1000).toLocaleDateString("en-CA"); // as 2026-11-20
  return [each.name, scenario, each.others.length ? `with ${each.others.join(", ")}` : "", since].filter(Boolean).join(" · ");
}

function game(each) {
  const rows = [...each.owed, each.draft, ...each.notices].filter(Boolean).map((text) => el("li", { text }));
  const buttons = each.open ? [el("button", { class: each.mine ? "main" : "", text: each.mine ? "Your move" : "Look at the board", do: () => play(each.name) })] : [];
  if (each.stage === "invited") buttons.push(el("button", { class: "main", text: "Join", do: () => act("join", { game: each.name }) }), el("button", { text: "Decline", do: () => act("decline", { game: each.name, why: "" }) }));
  if (each.stage === "offered") buttons.push(el("button", { text: "Withdraw the offer", do: () => act("decline", { game: each.name, why: "" }) }));
  return el("section", { class: "panel" }, el("h3", { text: [each.game, each.title].filter(Boolean).join(": ") }), el("small", { text: apart(each) }), el("p", { text: (each.moment || each.stage).replaceAll("`", "") }), el("ul", {}, ...rows), el("div", { class: "row" }, ...buttons));
}

function choice(name, words, texts, value) {
  const made = el("select", { id: name, "data-choice": name }, ...words.map((word, n) => el("option", { value: word, text: texts[n] })));
  made.value = value;
  return made;
}

function chosen() {
  const which = games.find((each) => each.name === $("which").value);
  fill("scenario", which.scenarios);
  const who = ["me", ...(which.bot ? ["the bot"] : []), "anyone", ...H.contacts.map((each) => each.name)];
  $("seats").replaceChildren(...which.seats.flatMap((seat, n) => [el("label", { for: `seat-${seat.name}`, text: seat.title }), choice(`seat-${seat.name}`, who, who, n ? H.contacts[0]?.name ?? "anyone" : "me")]));
  $("options").replaceChildren(...which.options.flatMap((each) => [el("label", { for: `option-${each.name}`, text: each.title }), choice(`option-${each.name}`, each.words, each.words, each.words[0])]));
  about();
}

const about = () => told("which", "scenario", "about");

const choices = (start) => Object.fromEntries([...document.querySelectorAll("[data-choice]")].filter((each) => each.id.startsWith(start)).map((each) => [each.id.slice(start.length), each.value]));

async function open(files) {
  // One after another; what each of them brought stays to be read, and why one was refused.
  const all = [...files], said = [], refused = [];
  for (const file of all) {
    const home = await call("open", file.slice(), "application/octet-stream");
    if (home) {
      said.push(...home.said);
      show({ ...home, said });
    } else refused.push(all.length > 1 ? `${file.name}: ${$("alert").textContent}` : $("alert").textContent);
  }
  $("alert").textContent = refused.join(" ");
}

$("begin").addEventListener("submit", async (event) => {
  event.preventDefault();
  const asked = Object.fromEntries(new FormData(event.target));
  $("begin").inert = true; // a passphrase is chosen at the terminal
  await act("identity", asked);
  $("begin").inert = false;
});
$("new").addEventListener("submit", (event) => {
  event.preventDefault();
  const off = [...$("off").querySelectorAll(":checked")].reduce((bits, each) => bits | Number(each.value), 0);
  const clock = { days: Number($("days").value), bank: Number($("bank").value), off };
  act("offer", { game: $("which").value, scenario: $("scenario").value, seats: choices("seat-"), title: $("called").value, options: choices("option-"), clock });
});
$("bot").addEventListener("submit", async (event) => {
  event.preventDefault();
  const begun = await call("practice", { game: $("bot-game").value, scenario: $("bot-scenario").value, side: $("bot-side").value });
  if (begun) play(begun.begun);
});
$("bot-game").addEventListener("change", against);
$("bot-scenario").addEventListener("change", () => told("bot-game", "bot-scenario", "bot-about"));
$("which").addEventListener("change", chosen);
$("scenario").addEventListener("change", about);
$("file").addEventListener("change", (event) => open(event.target.files));
$("sync").addEventListener("click", async () => {
  [$("wait").textContent, $("wait").hidden, $("sync").disabled] = ["Fetching and sending mail …", false, true];
  await act("sync");
  [$("wait").hidden, $("sync").disabled] = [true, false];
});
$("card").addEventListener("click", () => save("card"));
$("backup").addEventListener("click", () => save("backup"));
for (const kind of ["dragover", "drop"])
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    if (kind === "drop") open(event.dataTransfer.files);
  });

await act("home");
