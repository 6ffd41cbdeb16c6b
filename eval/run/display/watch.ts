/** Shows a run on stderr: its finished turns, and of the present one what the model writes and for how long. */

import type { Progress } from "../../../agent/run/progress.ts";
import type { Step } from "../../../agent/run/trajectory.ts";
import { cut, renderStep, titleOf, triedInWords } from "../../../agent/run/transcript.ts";
import { inLine, printable } from "../../../utils/base/text/text.ts";
import { liveRegion } from "../../../utils/program/live_region.ts";
import { shown } from "../../../utils/program/status.ts";
import { SEARCH_EDITS } from "../../../utils/search/moves.ts";
import { type SearchResult, searchIn, uncompared } from "../../../utils/search/result.ts";

/** How many lines are shown of a reply that is being written. */
const SHOWN_LINES = 6;
const REDRAW_MS = 100;
/** Where lines cannot be rewritten, one more is printed this often while the model is silent. */
const PLAIN_WAIT_MS = 15_000;
const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

/** A step in one line. */
const stepLine = (step: Step): string => inOneLine(`${titleOf(step.iteration)}: ${stepInWords(step)}`, step);

const inOneLine = (text: string, { seconds, finishReason }: Step): string =>
  `${inLine(text, LINE_CHARS)} (${seconds.toFixed(1)} s${cut(finishReason)})`;

function stepInWords({ reply, observation, verification }: Step): string {
  const search = searchIn(observation.data);
  if (search) return `search: ${triedInWords(search)}`;
  if (reply.kind === "malformed") return `the reply could not be read: ${reply.error}`;
  if (reply.kind === "act")
    return `${[reply.tool, shortInput(reply.input)].filter(Boolean).join(" ")}: ${observation.status}`;
  return verification?.accepted === false
    ? `answer refused: ${statusAndReason(observation)}`
    : `answer: ${observation.status}`;
}

/** The status with the first line of the output. */
function statusAndReason({ status, output }: Step["observation"]): string {
  const [why = ""] = output.trim().split("\n", 1);
  return `${status}${why === "" ? "" : ` (${why})`}`;
}

const LINE_CHARS = 200;

/** Where it acts: texts and lists are left out. */
const shortInput = (input: Record<string, unknown>): string =>
  [input.file, input.from ?? input.line].filter((value) => value !== undefined).join(":");

/** Statuses that are not shown: the user knows which tests fail, and the result is printed at the end. */
const NO_NEWS = ["nothing was tried", "nothing more was tried", "nothing was changed"];

/** A step of the search engine: what it ran, and the result. Empty where it says nothing new. */
function searchLine(step: Step): string {
  const { iteration, reply, observation, verification } = step;
  const makesEdit = reply.kind === "act" && reply.input.take !== undefined;
  if (iteration === 0 || makesEdit || NO_NEWS.includes(observation.status)) return "";
  const search = searchIn(observation.data);
  if (search) return inOneLine(`with the file alone: ${triedInWords(search)}${areAlike(search)}`, step);
  if (reply.kind === "act" && reply.tool === SEARCH_EDITS)
    return inOneLine(`in your test run: ${observation.status}`, step);
  if (reply.kind !== "answer") return inOneLine(stepInWords(step), step);
  // An answer without an edit runs no tests.
  if (observation.durationMs === 0) return "";
  const result = verification?.accepted ? "the likeliest edit passes" : statusAndReason(observation);
  return inOneLine(`with all your tests: ${result}`, step);
}

/** Said of several edits that pass: they are shown as one patch. */
const areAlike = (search: SearchResult): string =>
  search.passing > 1 && search.others?.length === 0 && uncompared(search).length === 0 ? ", all behave alike" : "";

export interface Watch extends Disposable {
  /** Whether it is the search engine that works. */
  searches: boolean;
  /** Prints a line between the turns. */
  say(text: string): void;
  onStep(step: Step): void;
  onProgress(progress: Progress): void;
}

/** @param isBrief a line for each finished turn in place of all that was said in it */
export function watchTurns(stream: NodeJS.WriteStream = process.stderr, { isBrief = false } = {}): Watch {
  const region = liveRegion(stream);
  let doing: Progress["type"] | null = null;
  let since = 0;
  let text = "";
  let told = "";
  let frame = 0;
  let timer: NodeJS.Timeout | undefined;
  const seconds = () => `${Math.floor((performance.now() - since) / 1000)} s`;
  const draw = () => {
    if (!region.isShown) {
      if (doing === "asked") stream.write(`waiting for the model · ${seconds()}\n`);
      else if (doing === "searching") stream.write(text === told ? `still running · ${seconds()}\n` : `${text}\n`);
      told = text;
      return;
    }
    frame = (frame + 1) % FRAMES.length;
    const what = {
      asked: "waiting for the model",
      wrote: "the model writes",
      replied: "running the tests",
      searching: printable(text),
    }[doing ?? "replied"];
    const written = doing === "wrote" ? printable(text).trimEnd().split("\n").slice(-SHOWN_LINES) : [];
    region.show([
      `${FRAMES[frame]} ${what} · ${seconds()}`,
      ...written.map((line) => `  ${line.replaceAll("\t", "  ")}`),
    ]);
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    region.clear();
  };
  const say = (line: string) => {
    region.clear();
    stream.write(`${shown(line)}\n`);
  };
  const watch: Watch = {
    searches: false,
    say,
    onStep: (step) => {
      stop();
      doing = null;
      const line = watch.searches ? searchLine(step) : stepLine(step);
      if (!isBrief) say(`${renderStep(step)}\n`);
      else if (line !== "") say(line);
    },
    onProgress: (progress) => {
      const isNew = progress.type !== doing;
      if (progress.type === "asked") text = "";
      else if (progress.type === "wrote") text = (text + progress.text).slice(-4000);
      else if (progress.type === "searching") text = progress.text;
      doing = progress.type;
      if (isNew) since = performance.now();
      if (isNew && region.isShown) draw();
      timer ??= setInterval(draw, region.isShown ? REDRAW_MS : PLAIN_WAIT_MS).unref();
    },
    [Symbol.dispose]: stop,
  };
  return watch;
}
