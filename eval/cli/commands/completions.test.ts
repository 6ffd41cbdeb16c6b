/** The completion scripts in the shells that they are for. */
// @module-tag ci

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";

const folder = temporaryFolder();
const scriptOf = (shell: string) => join(folder.path, `_${shell}`);
beforeAll(async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { exitCode, stdout } = await run("eval/cli/main.ts", ["completions", shell], folder.path);
    expect(exitCode).toBe(0);
    writeFileSync(scriptOf(shell), stdout);
  }
});
afterAll(() => folder[Symbol.dispose]());

const has = (shell: string): boolean => {
  try {
    execFileSync(shell, ["-c", "exit 0"]);
    return true;
  } catch {
    console.warn(`skipped: ${shell} is not installed`);
    return false;
  }
};

/** Words of a command, the last one to be completed, and some of the expected completions. */
const CASES: [words: string[], offered: string[]][] = [
  [
    ["mend", "re"],
    ["repair", "report"],
  ],
  [["mend", "models", ""], ["prepare"]],
  [["mend", "eval", "--min"], ["--min-pass"]],
  [["mend", "models", "prepare", "--thr"], ["--threads"]],
  [
    ["mend", "doctor", "--"],
    ["--json", "--help"],
  ],
];

const ask = (shell: string, script: string): string[] =>
  execFileSync(shell, ["-c", script], { cwd: folder.path, encoding: "utf8" }).split(/\s+/).filter(Boolean);

test.each(CASES)("bash: %j", (words, offered) => {
  const script = `. ${scriptOf("bash")}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _mend; printf '%s\\n' "\${COMPREPLY[@]}"`;
  expect(ask("bash", script)).toEqual(expect.arrayContaining(offered));
});

test.skipIf(!has("fish")).each(CASES)("fish: %j", (words, offered) => {
  const script = `source ${scriptOf("fish")}; complete --do-complete '${words.join(" ")}'`;
  expect(ask("fish", script)).toEqual(expect.arrayContaining(offered));
});

/** A zsh in a terminal: Tab lists what there is. It ends when all that is wanted has been seen. */
const ZSH = String.raw`
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "autoload -Uz compinit; compinit -u -d $PWD/dump; source $1; print 'rea'dy"
typeset text= part=
seen() {
  local wanted
  until
    zpty -r -t z part && text+=$part || sleep 0.1
    for wanted in "$@"; do [[ $text == *$wanted* ]] || break; done
    [[ $text == *$wanted* ]]
  do :; done
}
seen ready
text=
zpty -wn z "$2"$'\t\t'
seen "$@[3,-1]"
print -r -- "$text"
`;

test.skipIf(!has("zsh")).each(CASES)("zsh: %j", (words, offered) => {
  const args = ["-c", ZSH, "-", scriptOf("zsh"), words.join(" "), ...offered];
  const text = execFileSync("zsh", args, { cwd: folder.path, encoding: "utf8", timeout: 600_000 });
  for (const word of offered) expect(text).toContain(word);
});
