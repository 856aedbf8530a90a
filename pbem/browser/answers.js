// Standing orders and presets: what each question asks, what happens now, and other answers to choose.

import { $, el } from "/common.js";

let board = null; // how the server is asked, and which revision of the game is shown

export async function open(asking) {
  board = asking;
  standing(await board.call("standing"));
}

function standing(found) {
  if (!found) return;
  if (found.rev) board.renew(found.rev);
  const opened = [...$("standing").querySelectorAll("details[open][data-kind]")].map((each) => each.dataset.kind);
  const presets = found.presets.map((each) => el("div", { class: "row" }, el("button", {
    "aria-pressed": String(each.seats.length > 0), text: big(each.name.replaceAll("-", " ")), do: async () => standing(await board.call("set_preset", { rev: board.rev(), preset: each.name })),
  }), el("small", { text: each.text })));
  const usual = found.rows.filter(isUsual), rest = found.rows.filter((row) => !isUsual(row));
  const many = (count) => (count === 1 ? "1 question" : `${count} questions`);
  const times = [...new Set(usual.map(atTimes))].sort(); // those that nobody asks about come first
  const shown = (rows) => rows.map((row) => answers(row, found.several));
  const folded = times.map((when) => {
    const alike = usual.filter((row) => atTimes(row) === when);
    const title = when ? `${many(alike.length)} about which ${when}; otherwise the usual answer settles ${alike.length === 1 ? "it" : "them"}` : `${many(alike.length)} that the usual answer settles: you are not asked`;
    return el("details", { "data-kind": `usual ${when}`.trim() }, el("summary", { text: title }), ...shown(alike));
  });
  const always = rest.filter((row) => row.now.length === 1 && row.now[0] === ASKED).length;
  const told = always === found.rows.length ? "As it stands, you are asked about all of them." : `As it stands, you are asked every time about ${always ? `${always} of the ${many(found.rows.length)}` : `none of the ${many(found.rows.length)}`} below.`;
  $("standing").lastElementChild.replaceChildren(
    el("p", { text: "This shows what pbem answers for you while you are away, and which questions wait for you. Changes go out with your next orders." }),
    el("h3", { text: "All at once" }), ...presets, el("p", { text: told }), el("h3", { text: "One by one" }), ...shown(rest), ...folded);
  for (const each of $("standing").querySelectorAll("details[data-kind]")) each.open = opened.includes(each.dataset.kind);
}

const isUsual = (row) => row.text === USUAL || row.state.startsWith("default");
const atTimes = (row) => (row.state.startsWith("default") ? row.state.split("; ")[1] ?? "" : ""); // when, although the usual answer is set
const ASKED = "You are asked.";
const USUAL = "then default", ASK = "then ask";
const HOW = { "<": "is less than", "<=": "is at most", "=": "is", "!=": "is not", ">=": "is at least", ">": "is more than", in: "is one of" };
const FEW = 5; // answers that are choices of their own; of more, several are put into an order
const LONG = 120; // letters of a usual answer that need not be read twice
const big = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
const many = (word) => /[A-Z]/.test(word); // stands for many: CARD, UNIT

function answers(row, several) {
  // One question: what it asks, what is set, and what may be set instead.
  const label = [several && row.seat, row.kind.replaceAll("_", " ")].filter(Boolean).join(", ");
  const single = Object.entries(row.answers).filter(([word]) => !many(word));
  const choices = [
    ...(row.usual.length ? [[USUAL, `The usual answer. ${row.usual.join(" ")}`]] : []),
    ...(row.begins && row.begins !== USUAL ? [[row.begins, `As every game begins. ${row.first.join(" ")}`]] : []),
    ...(row.stance ? [] : [[ASK, `Ask me. ${row.limit}`]]),
    ...(single.length > 1 && single.length <= FEW ? single.map(([word, does]) => [`then ${word}`, `Always: ${does || word}.`]) : []),
  ];
  const set = row.text ? (row.state.startsWith("default") ? USUAL : row.text) : ASK;
  const own = choices.every(([text]) => text !== set);
  const put = async (text) => {
    standing(await board.call("set_standing", { rev: board.rev(), seat: row.seat, kind: row.kind, text }));
    $("standing").querySelector(`[data-kind="${CSS.escape(name)}"] summary`)?.focus();
  };
  const give = el("button", { class: "main", text: "Set this answer", disabled: true, do: () => put(chosen()) });
  const built = builder(row, label, own ? row.text : "", () => weigh());
  const name = `${row.seat}-${row.kind}`;
  const choice = (text, says, checked) => {
    const made = el("input", { type: "radio", name, value: text, checked });
    made.addEventListener("change", () => weigh());
    return el("label", {}, made, el("span", { text: says }));
  };
  const boxes = el("fieldset", { class: "party" }, el("legend", { text: label }), ...choices.map(([text, says]) => choice(text, says, text === set)), choice("", "An answer with conditions, or several answers in turn.", own), built.rows);
  const chosen = () => boxes.querySelector(":checked")?.value || built.text();
  function weigh() {
    built.rows.hidden = boxes.querySelector(":checked")?.value !== "";
    give.disabled = !chosen() || chosen() === set || !built.whole() && !built.rows.hidden;
  }
  weigh();
  const asked = atTimes(row), said = row.now.join(" ");
  const told = set === USUAL && said.length > LONG ? `${said.slice(0, said.lastIndexOf(" ", LONG))} …` : said; // it is said in full among the choices
  const now = asked ? `${told} ${big(asked)}.` : row.state.startsWith("with") || row.state.startsWith("sealed with") ? `${told} (${row.state})` : told;
  const quick = row.stance || row.limit || set === ASK ? null : el("button", { text: "Ask me", "aria-label": `Ask me: ${label}`, do: () => put(ASK) });
  return el("section", { class: "panel" }, el("details", { "data-kind": name }, el("summary", {}, el("b", { text: `${big(label)}.` }), ` ${row.asks}`, el("small", { text: `Now: ${now}` })), boxes, give), quick);
}

function builder(row, label, start, changed) {
  // A line of conditions and answers after another. `whole`: is every answer said?
  const clauses = start.split(";").filter((each) => each.trim()).map((each) => {
    const [head, tail] = each.split(/\bthen\b/);
    return { tests: head.replace(/^\s*when /, "").split(" and ").map((test) => test.trim().split(/ (?=\S)/)).filter((test) => test.length > 2).map(([fact, how, ...number]) => [fact, how, number.join(" ")]), answers: (tail ?? "").split(",").map((word) => word.trim()) };
  });
  const facts = Object.fromEntries(Object.entries(row.facts).map(([word, says]) => [word, says || word]));
  const does = { ...Object.fromEntries(Object.entries(row.answers).map(([word, says]) => [word, says || word])), ask: "ask me", ...(row.usual.length ? { default: "the usual answer" } : {}) };
  const known = (answer) => answer in does && !many(answer);
  const rows = el("div", {});
  const pick = (words, value, change, what) => {
    const made = el("select", { "aria-label": `${label}: ${what}` }, ...Object.entries({ [value]: value, ...words }).map(([word, text]) => el("option", { value: word, text: text === word ? word : `${text} (${word})` })));
    made.value = value;
    made.addEventListener("change", () => { change(made.value); changed(); });
    return made;
  };
  const typed = (value, change, what) => {
    const made = el("input", { "aria-label": `${label}: ${what}`, value, size: "8", spellcheck: "false" });
    made.addEventListener("focus", () => board.fill([made, ", "]));
    made.addEventListener("input", () => { change(made.value); changed(); });
    return made;
  };
  const without = (list, n) => { list.splice(n, 1); draw(); };
  const test = (each, one, m) => el("div", { class: "row" }, el("span", { text: m ? "and" : "If" }), pick(facts, one[0], (word) => (one[0] = word), "fact"), pick(HOW, one[1], (word) => (one[1] = word), "comparison"),
    typed(one[2], (word) => (one[2] = word), "number"), el("button", { text: "×", "aria-label": "Without this condition", do: () => without(each.tests, m) }));
  const answer = (each, word, m) => el("div", { class: "row" }, el("span", { text: m ? "or else" : each.tests.length ? "then" : "In all other cases" }), known(word)
    ? pick(does, word, (other) => { each.answers[m] = many(other) ? "" : other; draw(); }, "answer") : typed(word, (other) => (each.answers[m] = other.trim()), "answer"),
    m ? el("button", { text: "×", "aria-label": "Without this answer", do: () => without(each.answers, m) }) : null);
  const draw = () => {
    rows.replaceChildren(...clauses.flatMap((each, n) => [
      ...each.tests.map((one, m) => test(each, one, m)), ...each.answers.map((word, m) => answer(each, word, m)),
      el("div", { class: "row" }, el("button", { text: "+ answer", title: "If the one above is not possible", do: () => { each.answers.push("ask"); draw(); } }),
        Object.keys(facts).length ? el("button", { text: "+ condition", do: () => { each.tests.push([Object.keys(facts)[0], "=", "1"]); draw(); } }) : null,
        clauses.length > 1 ? el("button", { text: "× this case", do: () => without(clauses, n) }) : null),
    ]), el("div", { class: "row" }, el("button", { text: "+ case", title: "The cases are tried from the top", do: () => { clauses.unshift({ tests: Object.keys(facts).length ? [[Object.keys(facts)[0], "=", "1"]] : [], answers: ["ask"] }); draw(); } })),
      Object.values(facts).some((says) => says.startsWith("whether ")) ? el("small", { text: "For facts that begin with “whether”, 1 means yes and 0 means no." }) : "");
    changed();
  };
  const text = () => clauses.map((each) => `${each.tests.length ? `when ${each.tests.map((one) => one.join(" ")).join(" and ")} ` : ""}then ${each.answers.join(", ")}`).join("; ");
  const whole = () => clauses.length > 0 && clauses.every((each) => each.answers.every(Boolean) && each.tests.every((one) => one[2]));
  if (!clauses.length) clauses.push({ tests: [], answers: ["ask"] });
  const made = { rows, text, whole };
  queueMicrotask(draw);
  return made;
}
