/**
 * The page of a meta run: one HTML file without a script, so that nothing a model wrote can ever run in it. Only the live
 * page has one, which puts in what the server sends; the page's policy names it by its hash.
 */

import { readFileSync } from "node:fs";
import { count, dollars } from "../../figures.ts";
import { htmlDocument } from "../../report/document.ts";
import { describeOutcome } from "../outcome.ts";
import { childSection, fruitlessSection } from "./child.ts";
import { type RunView, readRun } from "./data.ts";
import { heatMap } from "./heat_map.ts";
import { type Html, html } from "./html.ts";
import { lineage } from "./lineage.ts";
import { utilityBars } from "./utility_bars.ts";

const read = (name: URL): string => readFileSync(name, "utf8");

/**
 * @param folder of a meta run
 * @param live true for a page that follows the run, through `events` beside it
 */
export function metaPage(folder: string, { live = false } = {}): string {
  const run = readRun(folder);
  const style =
    read(new URL("../../report/style/base.css", import.meta.url)) + read(new URL("style.css", import.meta.url));
  const script = live ? { script: read(new URL("live.js", import.meta.url)) } : {};
  return htmlDocument({ title: run.name, style, main: body(run).text, ...script, isServed: live });
}

/** What stands on the page: for a live page to put in. */
export const metaPageBody = (folder: string): string => body(readRun(folder)).text;

function body(run: RunView): Html {
  const { state, agents, splits } = run;
  const { costUsd, tokens } = state.spent;
  return html`<header><p class="kicker">Self-edit loop</p><h1>${run.name}</h1>
<p class="note">Solver ${run.model} · editor ${run.editor} · ${splits.dev.length} dev, ${splits.validation.length} validation, ${splits.sealed.length} sealed tasks · ${state.measured.size} attempts measured · ${count(tokens)} tokens, ${dollars(costUsd)}</p>
<p class="outcome">${describeOutcome(state).text}</p></header>
<section><h2>Lineage</h2><div class="scroll">${lineage(run)}</div><p class="legend">Colour: verdict. Ring: champion. Number below: utility on dev.</p></section>
<section><h2>Utility on dev</h2>${utilityBars(run)}</section>
<section><h2>Agents and tasks</h2>${heatMap(run)}</section>
<section><h2>Children</h2>${agents.map(childSection)}${run.fruitless.map(({ verdict, step }) => fruitlessSection(verdict, step))}</section>`;
}
