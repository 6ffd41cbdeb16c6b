/** A run for other tools: JUnit XML with a test case a sample, samples, predictions, chat messages for fine-tuning. */

import type { Step, Trajectory } from "../../agent/run/trajectory.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { reasonsIn } from "../benchmark/remarks.ts";
import { type Run, readTrajectory, samplesNotRun } from "./load_run.ts";
import { type Manifest, solverName } from "./manifest.ts";
import { isScored, type Result, type ScoredResult, sampleKey } from "./results.ts";
import { summarize } from "./summary/summary.ts";

/**
 * A sample that failed is a `failure`, and one without a score an `error`. What never ran is `skipped`, and so is a
 * task that is left out. Where tasks have several attempts each case is named `TASK#ATTEMPT`, else `TASK`.
 */
export function junit(run: Run): string {
  const { name, manifest, results } = run;
  const { dataset, attempts } = manifest.decides;
  const scored = results.filter(isScored);
  const failures = scored.filter(({ passed }) => !passed).length;
  const nameOf = (sample: string) => (attempts > 1 ? sample : sample.replace(/#\d+$/, ""));
  const skipped = [
    ...samplesNotRun(run).map((sample) => ({ name: nameOf(sample), message: "did not run" })),
    ...leftOutOf(manifest).map(({ id, reason }) => ({ name: id, message: `left out: ${reason}` })),
  ];
  const counts = {
    tests: results.length + skipped.length,
    failures,
    errors: results.length - scored.length,
    skipped: skipped.length,
    time: seconds(scored.reduce((sum, { usage }) => sum + usage.seconds, 0)),
  };
  const caseOf = (named: string) => `    <testcase${attributes({ name: named, classname: dataset.name })}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: "mend", ...counts })}>`,
    `  <testsuite${attributes({ name, ...counts, timestamp: manifest.started_at })}>`,
    "    <properties>",
    ...Object.entries(propertiesOf(run)).map(
      ([key, value]) => `      <property${attributes({ name: key, value: String(value) })}/>`,
    ),
    "    </properties>",
    ...results.map((result) => `${caseOf(nameOf(sampleKey(result)))}${ending(result)}`),
    ...skipped.map(({ name: of, message }) => `${caseOf(of)}><skipped${attributes({ message })}/></testcase>`),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** What the score is of, and the score: a list of cases alone does not say that it is incomplete. */
function propertiesOf({ manifest, results, expected }: Run) {
  const { dataset, protocol, few_shot, limits } = manifest.decides;
  const { value, interval, complete } = summarize(results, expected);
  return {
    ...{ model: solverName(manifest), dataset: dataset.name, protocol, "pass@1": value },
    ...{ "interval (95%)": interval?.join(" "), complete, left_out: leftOutOf(manifest).length },
    ...{ few_shot_k: few_shot.task_ids.length, max_iterations: limits.max_iterations },
  };
}

/** Tasks that are left out. Manifests of earlier versions do not say why. */
function leftOutOf({ decides, remarks = [] }: Manifest): { id: string; reason: string }[] {
  const reasons = reasonsIn(remarks);
  return (decides.dataset.left_out ?? []).map((id) => ({ id, reason: reasons.get(id) ?? "it cannot be scored" }));
}

/** Of a test case: its time, and what went wrong. */
function ending(result: Result): string {
  if (!isScored(result)) {
    const { kind, message } = result.error;
    return `><error${attributes({ type: kind, message })}/></testcase>`;
  }
  const { passed, outcome, explanation, usage } = result;
  const time = attributes({ time: seconds(usage.seconds) });
  if (passed) return `${time}/>`;
  return `${time}><failure${attributes({ type: outcome, message: explanation })}/></testcase>`;
}

const seconds = (value: number): string => value.toFixed(3);

const attributes = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join("");

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * Text as an attribute's value. What XML 1.0 has no way to write (control characters, lone surrogates, U+FFFE) becomes
 * U+FFFD; line breaks and tabs are kept as references, because a parser would make them spaces.
 * Source: Extensible Markup Language (XML) 1.0, fifth edition, production 2 and section 3.3.3.
 */
export const escapeXml = (text: string): string =>
  text
    .replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char)
    .replace(/[\p{Surrogate}\uFFFE\uFFFF]/gu, "\uFFFD")
    .replace(/\p{Cc}/gu, (char) => {
      const code = char.codePointAt(0) ?? 0;
      return [9, 10, 13].includes(code) || code >= 0x7f ? `&#${code};` : "\uFFFD";
    });

/** The answers of all samples that have a score, as `mend score` and harnesses of HumanEval read them. */
export function samples({ folder, results }: Run): object[] {
  return results.filter(isScored).map((result) => {
    const { task_id, attempt } = result;
    const answer = answerOf(folder, result);
    return { task_id, [isPatch(answer) ? "model_patch" : "solution"]: answer, attempt };
  });
}

/** Empty where there is none. @throws UserError where a scored sample's trajectory cannot be read */
function answerOf(folder: string, result: Result): string {
  const read = readTrajectory(folder, result);
  if ("trajectory" in read) return read.trajectory.answer ?? "";
  if (isScored(result)) throw new UserError(`The answer to ${result.task_id} is not there to export: ${read.missing}`);
  return "";
}

const isPatch = (answer: string): boolean => /^(?:diff --git |--- )/m.test(answer);

/**
 * A run on repositories as SWE-bench's harness and `sb-cli` take it: the patch of each task's first attempt, which may
 * be empty. @throws UserError where its tasks are functions
 */
export function predictions({ folder, manifest, results }: Run): object[] {
  const name = solverName(manifest);
  return results
    .filter(({ attempt }) => attempt === 0)
    .map((result) => {
      const answer = answerOf(folder, result);
      if (answer.trim() !== "" && !isPatch(answer))
        throw new UserError(`${result.task_id} was answered by a program: predictions are patches of repositories.`);
      const model_patch = answer === "" || answer.endsWith("\n") ? answer : `${answer}\n`;
      return { instance_id: result.task_id, model_name_or_path: name, model_patch };
    });
}

interface MessagesOptions {
  /** Take every trajectory, whatever came of it. Default: those that were accepted and passed the hidden tests. */
  all: boolean;
}

interface ExportedMessages {
  lines: string[];
  /** Samples that were not taken, by reason. */
  notTaken: Record<string, number>;
}

/**
 * One line a sample. Taken is a trajectory whose answer the visible tests accepted and the hidden tests passed: what
 * only passed the visible ones teaches wrong repairs. The last message is then the accepted answer.
 */
export function messages(run: Run, { all }: MessagesOptions): ExportedMessages {
  const exported: ExportedMessages = { lines: [], notTaken: {} };
  const skip = (reason: string) => {
    exported.notTaken[reason] = (exported.notTaken[reason] ?? 0) + 1;
  };
  for (const result of run.results) {
    const reason = all ? null : objection(isScored(result) ? result : null);
    const read = reason ? null : readTrajectory(run.folder, result);
    if (!read || "missing" in read) skip(reason ?? "without a readable trajectory");
    else {
      const { trajectory } = read;
      const { task_id, attempt } = result;
      const passed = isScored(result) ? result.passed : null;
      const { model, stop, steps } = trajectory;
      const finish_reasons = steps.flatMap(({ finishReason }) => finishReason ?? []);
      const metadata = { task_id, attempt, model, stop, stop_reason: stop, passed, finish_reasons };
      exported.lines.push(JSON.stringify({ messages: chatMessages(trajectory), metadata }));
    }
  }
  return exported;
}

/**
 * Where each step's reply stands among the messages; the actions of one reply share it. Examples come before the task,
 * a reply that could not be carried out any more after the last step.
 */
export function repliesTo({ steps, messages, stop }: Pick<Trajectory, "steps" | "messages" | "stop">): number[] {
  const said = messages.flatMap(({ role }, position) => (role === "assistant" ? position : []));
  const isLastUnheard = messages.at(-1)?.role === "assistant" && stop !== "answered";
  const heard = isLastUnheard ? said.slice(0, -1) : said;
  const turns = [...new Set(steps.map(({ iteration }) => iteration))];
  const replies = heard.slice(Math.max(0, heard.length - turns.length));
  return steps.flatMap(({ iteration }) => replies[turns.indexOf(iteration)] ?? []);
}

/**
 * The conversation as chat messages. Native calls are calls again, with their results behind them. A reply's reasoning
 * stands beside its content, where servers that give it and trainers that take it have it.
 */
export function chatMessages(trajectory: Pick<Trajectory, "steps" | "messages" | "stop">): object[] {
  const positions = repliesTo(trajectory);
  const reasonings = new Map(
    trajectory.steps.flatMap(({ reasoning }, i) =>
      reasoning === undefined ? [] : [[positions[i], reasoning] as const],
    ),
  );
  let open: { id: string }[] = [];
  return trajectory.messages.map((message, i, all) => {
    const reasoning_content = reasonings.get(i);
    const beside = reasoning_content === undefined ? {} : { reasoning_content };
    if (message.role === "tool") {
      const call = open.shift();
      return call ? { ...message, tool_call_id: call.id } : { ...message, role: "user" };
    }
    const next = all.findIndex(({ role }, at) => at > i && role !== "tool");
    const results = (next === -1 ? all.length : next) - i - 1;
    const replies = trajectory.steps.flatMap(({ reply }, at) => (positions[at] === i ? [reply] : []));
    const calls = callsOf(replies, i);
    // A call that could not be read has a result, and no name that can be sent.
    open = message.role === "assistant" && calls.length === results ? [...calls] : [];
    if (open.length === 0) return { ...message, ...beside };
    return { role: "assistant", content: replies[0]?.thought ?? "", tool_calls: calls, ...beside };
  });
}

const callsOf = (replies: readonly Step["reply"][], at: number) =>
  replies
    .flatMap((reply) => (reply.kind === "act" ? [reply] : []))
    .map(({ tool, input }, i) => ({
      id: `call_${at}_${i}`,
      type: "function",
      function: { name: tool, arguments: JSON.stringify(input) },
    }));

function objection(result: ScoredResult | null): string | null {
  if (!result) return "ended with an error";
  if (!result.passed) return "did not pass the hidden tests";
  return result.verified && result.stop === "answered" ? null : "never accepted by the visible tests";
}
