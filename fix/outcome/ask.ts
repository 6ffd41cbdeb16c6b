/** Where several edits pass, a person says what a call should give; the answer rules edits out and becomes a test. */

import type { Readable } from "node:stream";
import { inLine } from "../../utils/base/text/text.ts";
import { FRAMEWORKS } from "../../utils/frameworks/registry.ts";
import type { AttemptSummary, Choice } from "../attempts/attempt.ts";
import type { Ask } from "../scope/scope.ts";

/** What a call has to give. */
export interface CallValue {
  input: string;
  value: string;
}

/**
 * Asks until the remaining edits do the same on all askable inputs, or the person leaves it open.
 * @param shown what a person sees of an edit
 */
export async function settle(
  { choices, askable = [] }: Pick<AttemptSummary, "choices" | "askable">,
  name: string,
  ask: Ask,
  shown: (edit: Choice) => string,
): Promise<{ left: Choice[]; answers: CallValue[] }> {
  let left = choices;
  const answers: CallValue[] = [];
  let isAsked = false;
  for (const input of askable) {
    const values = [...new Set(left.map(({ gives }) => gives[input] ?? ""))];
    isAsked ||= values.length > 1;
    const picked = values.length > 1 ? await ask({ text: `What should ${name + input} give?`, values }) : null;
    const value = picked === null ? undefined : values[picked];
    if (value === undefined) continue;
    left = left.filter(({ gives }) => gives[input] === value);
    answers.push({ input, value });
  }
  if (left.length < 2 || isAsked) return { left, answers };
  // Nothing says on what they differ: then the edits themselves are shown.
  const picked = await ask({ text: "Which is right?", values: left.map(shown) });
  const chosen = picked === null ? undefined : left[picked];
  return { left: chosen ? [chosen] : left, answers };
}

/**
 * Asks on the terminal behind `input`, and asks again until the answer is a number of a choice. An empty line skips the
 * question.
 */
export const askOn = (input: Readable, say: (text: string) => void): Ask => {
  let isFirst = true;
  return async ({ text: question, values }) => {
    const prompt = `Type a number from 1 to ${values.length}, or press Enter to skip the question:`;
    say(`${isFirst ? "Several edits pass the tests." : "The edits that are left still differ."} ${question}`);
    isFirst = false;
    for (const [i, value] of values.entries()) say(`  ${i + 1}. ${value.replace(/\n/g, "\n     ")}`);
    say(prompt);
    // Few are asked anything.
    const { createInterface } = await import("node:readline");
    const reader = createInterface({ input, terminal: false });
    try {
      for await (const line of reader) {
        const text = line.trim();
        if (text === "") return null;
        const picked = /^\d+$/.test(text) ? Number(text) - 1 : -1;
        if (picked >= 0 && picked < values.length) return picked;
        say(`"${inLine(text)}" is not one of the choices. ${prompt}`);
      }
      return null;
    } finally {
      reader.close();
    }
  };
};

/**
 * The file of tests with the values that the user gave; null if no test can be written: in other frameworks, or if the
 * tests do not call the function by its name.
 */
export function withValueTests(
  tests: string,
  framework: string | null,
  name: string,
  answers: readonly CallValue[],
): string | null {
  const written = FRAMEWORKS.find((one) => one.name === framework)?.writes;
  const called = tests.match(new RegExp(`(?<![\\w.])((?:\\w+\\.)*${name})\\(`))?.[1];
  const isThere = written?.needs?.test(tests) ?? true;
  if (!written || called === undefined || !isThere) return null;
  const taken = (n: number): boolean => tests.includes(`${name}_told_${n}`);
  let number = 1;
  const added = answers.map(({ input, value }) => {
    while (taken(number)) number += 1;
    return written.text(`${name}_told_${number++}`, called + input, value, tests);
  });
  const main = tests.search(/^if __name__\b/m);
  const end = main < 0 ? tests.length : main;
  const behind = main < 0 ? "" : `\n\n${tests.slice(main)}`;
  return `${tests.slice(0, end).trimEnd()}\n\n\n${added.join("\n\n")}${behind}`;
}
