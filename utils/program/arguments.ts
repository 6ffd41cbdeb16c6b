/** What a user wrote behind the name of a command. */

import { UserError } from "../base/data/errors.ts";
import { inLine } from "../base/text/text.ts";

/** How a command was reached: its name as the user wrote it, e.g. `mend eval`, and what followed. */
export interface Call {
  name: string;
  args: readonly string[];
}

/** What the user wrote; reading a value checks it. */
export class Arguments<Name extends string> {
  readonly positionals: readonly string[];
  readonly #values: Record<string, string | boolean | undefined>;
  readonly #call: Call;

  constructor(
    values: Record<string, string | boolean | undefined>,
    positionals: readonly string[],
    call: Call = { name: "mend", args: [] },
  ) {
    this.#values = values;
    this.positionals = positionals;
    this.#call = call;
  }

  /** The command line as it was typed, with options set: to be pasted into a shell. */
  again(set: Partial<Record<Name, string | true>>): string {
    const { name: command, args } = this.#call;
    const options = Object.entries<string | true | undefined>(set).map(([name, value = true]) => {
      const text = value === true ? `--${name}` : `--${name} ${shellWord(value)}`;
      return { text, isNew: this.#values[name] !== value };
    });
    if (args.some((word) => /:\/\/[^/]*@/.test(word)))
      return `the same command with ${options.map(({ text }) => text).join(" ")}`;
    const added = options.flatMap(({ text, isNew }) => (isNew ? text : []));
    return [command, ...args.map(shellWord), ...added].join(" ");
  }

  /**
   * The command line as it was typed, less some options: to be pasted into a shell. Undefined where an address in it
   * has a password.
   */
  without(names: readonly Name[]): string | undefined {
    const { name: command, args } = this.#call;
    if (args.some((word) => /:\/\/[^/]*@/.test(word))) return undefined;
    const left: string[] = [];
    for (let at = 0; at < args.length; at++) {
      const word = args[at] ?? "";
      const dropped = names.find((name) => word === `--${name}` || word.startsWith(`--${name}=`));
      if (dropped === undefined) left.push(word);
      else if (word === `--${dropped}` && this.text(dropped) !== undefined) at += 1;
    }
    return [command, ...left.map(shellWord)].join(" ");
  }

  text(name: Name): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  /** A command line. @throws UserError where it is blank, as `--test "$UNSET"` is */
  command(name: Name): string | undefined {
    const text = this.text(name)?.trim();
    if (text !== "") return text;
    throw new UserError(`--${name} is empty: write the command that runs your tests, or leave the option out.`);
  }

  flag(name: Name): boolean {
    return this.#values[name] === true;
  }

  /** @throws UserError unless the value is a number (an integer where asked) within the bounds */
  number(name: Name, { min = -MOST, max = MOST, integer = false } = {}): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (Number.isFinite(value) && value >= min && value <= max && (!integer || Number.isInteger(value))) return value;
    const kind = integer ? "a whole number" : "a number";
    const end = max === MOST && !(value > max) ? "up" : `to ${max}`;
    throw new UserError(`--${name} takes ${kind} from ${min} ${end}, not "${inLine(text)}".`);
  }

  /**
   * A time as `90`, `90s`, `1.5m` or `1h`, in seconds.
   * @throws UserError for anything else, less than `min`, or more than timers can wait
   */
  seconds(name: Name, min = 1): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const [, amount = "", unit = "s"] = /^\s*(\d+(?:\.\d+)?)\s*([smh])?\s*$/.exec(text) ?? [];
    const value = Number(amount) * (UNIT_SECONDS[unit] ?? 1);
    if (amount !== "" && value >= min && value <= MOST_HOURS * 3600) return value;
    throw new UserError(
      `--${name} takes a time from ${min} seconds to ${MOST_HOURS} hours, such as 30, 30s or 2m, ` +
        `not "${inLine(text)}".`,
    );
  }

  /** @throws UserError unless the value is a whole number within the bounds */
  count(name: Name, min = 0, max = MOST): number | undefined {
    return this.number(name, { min, max, integer: true });
  }

  /** A list such as `3,7`. */
  counts(name: Name, min = 0): number[] | undefined {
    const text = this.text(name);
    return text?.split(",").map((part) => {
      const value = Number(part);
      if (part.trim() !== "" && Number.isInteger(value) && value >= min && value <= MOST) return value;
      throw new UserError(`--${name} takes whole numbers from ${min} to ${MOST} such as 3,7, not "${inLine(text)}".`);
    });
  }

  choice<Choice extends string>(name: Name, choices: readonly Choice[]): Choice | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const found = choices.find((choice) => choice === text);
    if (found) return found;
    throw new UserError(`--${name} takes one of ${choices.join(", ")}, not "${inLine(text)}".`);
  }
}

/** Of a number that has no smaller bound of its own. */
const MOST = 1e12;
/** Node.js takes a timer of more than 596 hours for one that has passed. */
export const MOST_HOURS = 500;
/** Things at a time: each is a process, or a request that a server has to answer. */
export const MOST_AT_ONCE = 256;

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/**
 * A positional argument that is a whole number; the default where it is not given. @throws UserError for anything else
 */
export function countArgument(text: string | undefined, name: string, usual: number): number {
  if (text === undefined) return usual;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= MOST) return value;
  throw new UserError(`${name} is a whole number from 0 to ${MOST}, not "${inLine(text)}".`);
}
