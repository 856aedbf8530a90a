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
  if (name === "backup") $("alert").textContent = "The phrase that opens the backup stands at the terminal. Write it on paper.";
}

function show(home) {
  if (!home) return;
  H = home;
  sessionStorage.removeItem("pbem-game");
  $("me").textContent = H.me ? `${H.me.name} · ${H.me.fingerprint}` : "";
  $("begin").hidden = Boolean(H.me);
  $("rooms").hidden = !H.me;
  $("said").replaceChildren(...H.said.map((text) => el("li", { text })));
  const order = (each) => (each.mine ? 0 : each.open ? 1 : 2);
  $("games").replaceChildren(...(H.games.length ? [...H.games].sort((a, b) => order(a) - order(b)).map(game) : [el("p", { text: "None yet. Begin one against the bot, or open an offer that came by mail." })]));
  $("bots").replaceChildren(...H.installed.filter((each) => each.bot).map((each) => el("button", { text: each.title, do: () => act("practice", { game: each.name }) })));
  $("people").replaceChildren(...H.contacts.map((each) => el("p", { class: "row" }, el("b", { text: each.name }), el("span", { text: each.email }), el("code", { text: each.fingerprint }),
    each.sure ? el("span", { text: "compared" }) : el("button", { text: "I have compared it on the phone", do: () => act("confirm", { who: each.name }) }))));
  $("outbox").replaceChildren(...H.outbox.filter((each) => each.silent.length).map((each) => el("p", { class: "row" },
    el("button", { text: each.file, do: () => save("file", { name: each.file }) }), el("span", { text: `for ${each.to.join(", ")}` }))));
  $("sync").hidden = !H.mail;
  if (!$("which").children.length) {
    $("which").replaceChildren(...H.installed.map((each) => el("option", { value: each.name, text: each.title })));
    chosen();
  }
}

function game(each) {
  const rows = [...each.owed, ...each.notices].map((text) => el("li", { text }));
  const buttons = each.open ? [el("button", { class: each.mine ? "main" : "", text: each.mine ? "Your move" : "Look at the board", do: () => play(each.name) })] : [];
  if (each.stage === "invited") buttons.push(el("button", { class: "main", text: "Join", do: () => act("join", { game: each.name }) }), el("button", { text: "Decline", do: () => act("decline", { game: each.name, why: "" }) }));
  return el("section", { class: "panel" }, el("h3", { text: `${each.game}: ${each.title}` }), el("p", { text: (each.moment || each.stage).replaceAll("`", "") }), el("ul", {}, ...rows), el("div", { class: "row" }, ...buttons));
}

function chosen() {
  const which = H.installed.find((each) => each.name === $("which").value);
  $("scenario").replaceChildren(...which.scenarios.map((each) => el("option", { value: each.name, text: each.title })));
  $("seats").replaceChildren(...which.seats.map((seat, n) => el("p", {}, el("label", {}, `${seat.title} `, el("select", { "data-seat": seat.name },
    ...[["me", "me"], ["anyone", "anyone"], ...H.contacts.map((each) => [each.name, each.name])].map(([value, text]) => {
      const made = el("option", { value, text });
      made.selected = value === (n ? H.contacts[0]?.name ?? "anyone" : "me");
      return made;
    }))))));
}

async function open(files) {
  for (const file of files) await act("open", file.slice(), "application/octet-stream");
}

$("begin").addEventListener("submit", (event) => {
  event.preventDefault();
  $("alert").textContent = "Now choose a passphrase at the terminal.";
  ask("identity", JSON.stringify(Object.fromEntries(new FormData(event.target)))).then((answer) => {
    $("alert").textContent = answer.ok ? "" : answer.value.sentence;
    if (answer.ok) show(answer.value);
  });
});
$("new").addEventListener("submit", (event) => {
  event.preventDefault();
  const seats = Object.fromEntries([...document.querySelectorAll("[data-seat]")].map((each) => [each.dataset.seat, each.value]));
  act("offer", { game: $("which").value, scenario: $("scenario").value, seats, title: $("called").value });
});
$("which").addEventListener("change", chosen);
$("file").addEventListener("change", (event) => open(event.target.files));
$("sync").addEventListener("click", () => act("sync"));
$("card").addEventListener("click", () => save("card"));
$("backup").addEventListener("click", () => save("backup"));
for (const kind of ["dragover", "drop"])
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    if (kind === "drop") open(event.dataTransfer.files);
  });

await act("home");
