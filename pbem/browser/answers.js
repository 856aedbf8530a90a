// Answers in advance and presets: a line of conditions and answers after another, put together here.

import { $, el } from "/common.js";

let board = null; // how the server is asked, and which revision of the game is shown

export async function open(asking) {
  board = asking;
  standing(await board.call("standing"));
}

function standing(found) {
  if (!found) return;
  if (found.rev) board.renew(found.rev);
  const presets = found.presets.map((each) => el("button", {
    "aria-pressed": String(each.seats.length > 0), text: each.name, title: each.text, do: async () => standing(await board.call("set_preset", { rev: board.rev(), preset: each.name })),
  }));
  const usual = found.rows.filter(isUsual), rest = found.rows.filter((row) => !isUsual(row));
  const shown = (rows) => rows.map((row) => answers(row, found.several));
  const folded = usual.length ? [el("details", {}, el("summary", { text: `${usual.length} kinds of question that are answered as usual` }), ...shown(usual))] : [];
  $("standing").lastElementChild.replaceChildren(el("div", { class: "row" }, ...presets), ...shown(rest), ...folded);
}

const isUsual = (row) => row.text === "then default" || row.state.startsWith("default");

const HOW = ["<", "<=", "=", "!=", ">=", ">", "in"];

function answers(row, several) {
  // Answers in advance to one kind of decision: a line of conditions and answers after another, put together here.
  const label = [several && row.seat, row.kind.replaceAll("_", " ")].filter(Boolean).join(", ");
  const set = async (text) => standing(await board.call("set_standing", { rev: board.rev(), seat: row.seat, kind: row.kind, text }));
  const clauses = row.text.split(";").filter((each) => each.trim()).map((each) => {
    const [head, tail] = each.split(/\bthen\b/);
    return { tests: head.replace(/^\s*when /, "").split(" and ").map((test) => test.trim().split(/ (?=\S)/)).filter((test) => test.length > 2).map(([fact, how, ...number]) => [fact, how, number.join(" ")]), answers: (tail ?? "").split(",").map((word) => word.trim()) };
  });
  const text = () => clauses.map((each) => `${each.tests.length ? `when ${each.tests.map((test) => test.join(" ")).join(" and ")} ` : ""}then ${each.answers.join(", ")}`).join("; ");
  const rows = el("div", {});
  const choice = (words, value, change, what) => {
    const made = el("select", { "aria-label": `${label}: ${what}` }, ...[...new Set([...words, value])].map((word) => el("option", { value: word, text: word })));
    made.value = value;
    made.addEventListener("change", () => change(made.value));
    return made;
  };
  const typed = (value, change, what) => {
    const made = el("input", { "aria-label": `${label}: ${what}`, value, size: "8", spellcheck: "false" });
    made.addEventListener("focus", () => (board.fill([made, ", "])));
    made.addEventListener("input", () => change(made.value));
    return made;
  };
  const without = (list, n) => { list.splice(n, 1); draw(); };
  const draw = () => rows.replaceChildren(...clauses.flatMap((each, n) => [
    ...each.tests.map((test, m) => el("div", { class: "row" }, el("span", { text: m ? "and" : "when" }), choice(row.facts, test[0], (word) => (test[0] = word), "fact"), choice(HOW, test[1], (word) => (test[1] = word), "comparison"),
      typed(test[2], (word) => (test[2] = word), "number"), el("button", { text: "×", "aria-label": "Without this condition", do: () => without(each.tests, m) }))),
    el("div", { class: "row" }, el("span", { text: "then" }), ...each.answers.map((answer, m) => (row.answers.includes(answer) && !/[A-Z]/.test(answer)
      ? choice([...row.answers, ...(m ? ["–"] : [])], answer, (word) => { word === "–" ? each.answers.splice(m, 1) : (each.answers[m] = /[A-Z]/.test(word) ? "" : word); draw(); }, "answer")
      : typed(answer, (word) => (each.answers[m] = word), "answer"))),
      el("button", { text: "or", title: "What if that is not on offer", do: () => { each.answers.push("ask"); draw(); } }),
      row.facts.length ? el("button", { text: "+ when", do: () => { each.tests.push([row.facts[0], "<=", "1"]); draw(); } }) : null,
      el("button", { text: "×", "aria-label": "Without this line", do: () => without(clauses, n) })),
  ]), el("div", { class: "row" }, el("button", { text: clauses.length ? "+ line" : "Answer in advance", do: () => { clauses.push({ tests: [], answers: [row.answers[0].match(/[A-Z]/) ? "ask" : row.answers[0]] }); draw(); } }),
    clauses.length || row.text ? el("button", { class: "main", text: "Set", do: () => set(text()) }) : null));
  draw();
  return el("details", { class: "panel" }, el("summary", {}, el("b", { text: label }), ` ${row.text ? `${row.text} (${row.state})` : "ask me"}`), rows);
}
