/** The pictures of the README tell what happens: they are made anew with `npm run pictures`. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { programWords } from "../../utils/testing/command.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { ROOT } from "../options.ts";
import { firstRepair, masked } from "./first_repair.ts";
import { linesOf, shownLines, terminalSvg } from "./terminal_svg.ts";

const svg = readFileSync(join(ROOT, "docs/pictures/repair.svg"), "utf8");

test("the terminal shows what a repair of examples/first prints today", DEEP, async () => {
  const scenes = await firstRepair(programWords("eval/cli/main.ts"));
  expect(linesOf(svg).map(masked)).toEqual(scenes.flatMap(shownLines).map(masked));
});

test("it moves by CSS alone, stands still for who wants that, and has colours for dark and light", () => {
  expect(svg).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org\/2000\/svg)| on\w+=/);
  const [still = "", moving = ""] = svg.split("@media (prefers-reduced-motion: no-preference)");
  expect(still).not.toMatch(/animation|opacity/);
  expect(moving).toContain("animation:");
  expect(svg).toContain("@media (prefers-color-scheme: dark)");
});

test("a line that is too long goes on in the next one, and what is markup is shown", () => {
  const scene = { command: "cat x", lines: [`\u001b[31m${"word ".repeat(25)}\u001b[39m`, 'a < b && c > "d"'] };
  const picture = terminalSvg("x", [scene]);
  expect(linesOf(picture)).toEqual(shownLines(scene));
  expect(linesOf(picture)).toHaveLength(4);
  expect(picture.match(/<tspan class="red">/g)).toHaveLength(2);
});

test("the report is shown in both colour schemes", () => {
  for (const scheme of ["light", "dark"])
    expect(existsSync(join(ROOT, `docs/pictures/report-${scheme}.png`))).toBe(true);
});
