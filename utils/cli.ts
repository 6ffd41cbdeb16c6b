/** The one way every command reads its arguments, stops on Ctrl-C, reports errors and exits. */

import { type ParseArgsConfig, parseArgs } from "node:util";
import { errorCode, refusedWrite, UserError, writeError } from "./errors.ts";
import { removeStaleFolders } from "./files/temporary.ts";

/** 0 done, 1 the harness failed, 2 usage or input, 3 a budget is used up, 100 below `--min-pass`, 130 stopped by Ctrl-C. */
export const EXIT = { ok: 0, failed: 1, usage: 2, budget: 3, belowMinPass: 100, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface Option {
  /** Shown after the name in `--help`, e.g. `N`; an option without a value is a switch. */
  value?: string;
  help: string;
}

export interface Command<Name extends string = string> {
  /** How it is called, e.g. `npx tsx eval/score.ts SAMPLES.jsonl [options]`. */
  usage: string;
  summary: string;
  options: Record<Name, Option>;
  /** Least and most positional arguments. Default none. */
  positionals?: [least: number, most: number];
  /** All it does is print: it ends quietly when nobody reads on, as in `… | head`. Others go on, for what they keep. */
  printsOnly?: true;
}

/** What the user wrote; reading a value checks it. */
export class Arguments<Name extends string> {
  readonly positionals: readonly string[];
  readonly #values: Record<string, string | boolean | undefined>;

  constructor(values: Record<string, string | boolean | undefined>, positionals: readonly string[]) {
    this.#values = values;
    this.positionals = positionals;
  }

  text(name: Name): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  flag(name: Name): boolean {
    return this.#values[name] === true;
  }

  /** @throws UserError unless the value is a number (an integer where asked) within the bounds */
  number(name: Name, { min = -Infinity, max = Infinity, integer = false } = {}): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (Number.isFinite(value) && value >= min && value <= max && (!integer || Number.isInteger(value))) return value;
    const kind = integer ? "a whole number" : "a number";
    const low = min === -Infinity ? "" : ` from ${min}`;
    const high = max === Infinity ? "" : ` up to ${max}`;
    throw new UserError(`--${name} takes ${kind}${low}${high}, not "${text}".`);
  }

  count(name: Name, min = 0): number | undefined {
    return this.number(name, { min, integer: true });
  }

  /** A list such as `3,7`. */
  counts(name: Name, min = 0): number[] | undefined {
    const text = this.text(name);
    return text?.split(",").map((part) => {
      const value = Number(part);
      if (part.trim() !== "" && Number.isInteger(value) && value >= min) return value;
      throw new UserError(`--${name} takes whole numbers from ${min} such as 3,7, not "${text}".`);
    });
  }

  choice<Choice extends string>(name: Name, choices: readonly Choice[]): Choice | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const found = choices.find((choice) => choice === text);
    if (found) return found;
    throw new UserError(`--${name} takes one of ${choices.join(", ")}, not "${text}".`);
  }
}

/** A positional argument that is a whole number; the default where it is not given. @throws UserError for anything else */
export function countArgument(text: string | undefined, name: string, usual: number): number {
  if (text === undefined) return usual;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isInteger(value) && value >= 0) return value;
  throw new UserError(`${name} is a whole number from 0, not "${text}".`);
}

/**
 * Parses the command line and runs `main`, then exits with its code. A UserError is printed as one sentence (exit 2),
 * anything else that is thrown is the harness's failure (exit 1, with its stack: it is for the one who will mend it).
 */
export async function runCommand<Name extends string>(
  command: Command<Name>,
  main: (args: Arguments<Name>) => Promise<ExitCode>,
): Promise<void> {
  const output = watchOutput();
  const code = await start(command, main, output).catch((thrown: unknown) => {
    const error = refusedWrite(thrown);
    if (error instanceof UserError) {
      console.error(`error: ${error.message}`);
      return EXIT.usage;
    }
    console.error(error);
    return EXIT.failed;
  });
  process.exitCode = output.isLost && code === EXIT.ok ? EXIT.failed : code;
}

interface Output {
  /** Set once the command has work to do beside printing. */
  goesOn: boolean;
  /** What was printed could not be written, as on a full disk. */
  isLost: boolean;
}

/** Neither stream that breaks may end the work with an exception: stderr is then silent, stdout is told of on stderr, once. */
function watchOutput(): Output {
  const output = { goesOn: false, isLost: false };
  process.stderr.on("error", () => {});
  process.stdout.once("error", (error) => {
    process.stdout.on("error", () => {});
    if (!/^(EPIPE|ECONNRESET)$/.test(String(errorCode(error)))) {
      const refused = writeError(error, "stdout");
      console.error(`error: ${refused instanceof Error ? refused.message : refused}`);
      output.isLost = true;
      if (process.exitCode === EXIT.ok) process.exitCode = EXIT.failed;
    } else if (output.goesOn) console.error("note: nobody reads stdout any more; the work goes on without it");
    else process.exit(EXIT.ok);
  });
  return output;
}

async function start<Name extends string>(
  command: Command<Name>,
  main: (args: Arguments<Name>) => Promise<ExitCode>,
  output: Output,
): Promise<ExitCode> {
  const options: ParseArgsConfig["options"] = { help: { type: "boolean", short: "h" } };
  for (const [name, { value }] of Object.entries<Option>(command.options)) {
    options[name] = { type: value === undefined ? "boolean" : "string" };
  }
  const { values, positionals } = parse(options);
  if (values.help) {
    console.log(help(command));
    return EXIT.ok;
  }
  const [least, most] = command.positionals ?? [0, 0];
  if (positionals.length < least || positionals.length > most) {
    throw new UserError(`usage: ${command.usage}\nSee --help.`);
  }
  output.goesOn = command.printsOnly !== true;
  removeStaleFolders();
  return main(new Arguments(values, positionals));
}

function parse(options: NonNullable<ParseArgsConfig["options"]>) {
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const single = Object.entries(values).filter(
      (entry): entry is [string, string | boolean] => !Array.isArray(entry[1]),
    );
    return { values: Object.fromEntries(single), positionals };
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message.split(". To specify")[0] : error}. See --help.`);
  }
}

function help({ usage, summary, options }: Command): string {
  const rows = Object.entries(options).map(([name, { value, help: text }]): [string, string] => [
    `  --${name}${value ? ` ${value}` : ""}`,
    text,
  ]);
  rows.push(["  --help", "this text"]);
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return [summary, "", `usage: ${usage}`, "", ...rows.map(([left, text]) => left.padEnd(width) + text)].join("\n");
}

/**
 * Ctrl-C: the first asks to drain (finish what has begun), the second aborts. SIGTERM drains too.
 * Dispose to give the signals back.
 */
export function listenForInterrupt(onDrain: () => void) {
  const abort = new AbortController();
  let draining = false;
  const onSignal = () => {
    if (draining) return abort.abort(new Error("interrupted"));
    draining = true;
    onDrain();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return {
    signal: abort.signal,
    get draining() {
      return draining;
    },
    [Symbol.dispose]() {
      process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    },
  };
}
