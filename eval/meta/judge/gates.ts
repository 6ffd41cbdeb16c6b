/** The gates a child passes before it may become the champion, cheapest first. Each one lets it through or decides. */

import { protectedHash } from "../archive/surface.ts";
import { problemAtStart } from "../child/child.ts";
import type { AgentAdded, Judged, Measured, Verdict } from "../events.ts";
import type { Workbench } from "../workbench.ts";
import { chanceOfWins, levelOf, type PairedTest, type Scores, signTest } from "./sign_test.ts";

export interface GateOptions {
  /** Tasks that the parent solves, tried first. */
  smokeTasks: number;
  screenTasks: number;
  /** Net losses on the screen at which a child is dropped. */
  screenLosses: number;
  /** Chance that a run promotes a child that is no better. */
  alpha: number;
  /** Tests on validation that a run may make. */
  family: number;
  /** Paths whose contents must be the same after an agent has run. */
  protectedPaths: readonly string[];
  versionTimeoutMs: number;
}

export interface Candidate {
  agent: AgentAdded;
  parent: AgentAdded;
}

/** What a gate says of a child it does not let through. */
export interface Ruling {
  verdict: Verdict;
  message: string;
  test?: Judged["test"];
}

export interface Gate {
  name: string;
  /** Whether the editor may try once more with this gate's message. */
  mendable: boolean;
  /** Null where the child may go on. */
  check(candidate: Candidate, bench: Workbench, options: GateOptions): Promise<Ruling | null>;
}

/** Tasks measured before the screen looks at the losses again: the same tasks, however many run at a time. */
const SCREEN_STEP = 4;
const REGRESSION_LEVEL = 0.05;

export const changed: Gate = {
  name: "changed",
  mendable: false,
  check: async ({ agent }, { parts: { log } }) => {
    const same = log.state.agents.find(({ tree, n }) => tree === agent.tree && n < agent.n);
    if (!same) return null;
    const earlier = log.state.verdictOn(same.n);
    const isSound = earlier === null || earlier.verdict === "accepted";
    const fate = earlier ? `, which was ${earlier.verdict} at ${earlier.gate}` : "";
    return {
      verdict: isSound ? "inconclusive" : earlier.verdict,
      message: `it is the same as agent ${same.n}${fate}: nothing to measure`,
    };
  },
};

export const types: Gate = {
  name: "types",
  mendable: true,
  check: async ({ agent }, bench) => {
    const built = await bench.program(agent);
    return "problem" in built ? { verdict: "broken", message: `the compiler says:\n${built.problem}` } : null;
  },
};

export const version: Gate = {
  name: "version",
  mendable: true,
  check: async ({ agent }, bench, { versionTimeoutMs: timeoutMs }) => {
    const built = await bench.program(agent);
    if ("problem" in built) return { verdict: "broken", message: built.problem };
    const { evaluator, signal } = bench.parts;
    const problem = await problemAtStart(built.program, { box: evaluator.box, timeoutMs, signal });
    return problem === null ? null : { verdict: "broken", message: problem };
  },
};

export const smoke: Gate = {
  name: "smoke",
  mendable: true,
  check: async ({ agent, parent }, bench, { smokeTasks }) => {
    const before = await bench.scores(parent, bench.samples("dev"));
    const solved = bench.samples("dev").filter(({ task }) => (before.get(task.id) ?? 0) > 0);
    const samples = (solved.length > 0 ? solved : bench.samples("dev")).slice(0, smokeTasks);
    for (const sample of samples) {
      const [measured] = await bench.measured(agent, [sample]);
      if (measured && measured.status !== "ok") {
        return {
          verdict: "broken",
          message: `on ${sample.task.id} it ended with "${measured.status}":\n${bench.trace(measured) ?? ""}`,
        };
      }
    }
    const now = bench.known(agent, samples) ?? [];
    if (solved.length === 0 || now.some(({ score }) => score > 0)) return null;
    return { verdict: "broken", message: `it solves none of ${names(now)}, which its parent solves` };
  },
};

export const screen: Gate = {
  name: "screen",
  mendable: true,
  check: async ({ agent, parent }, bench, { screenTasks, screenLosses }) => {
    const samples = bench.samples("dev", 0, screenTasks);
    for (let count = SCREEN_STEP; count < samples.length + SCREEN_STEP; count += SCREEN_STEP) {
      const tried = samples.slice(0, count);
      const before = await bench.scores(parent, tried);
      const after = await bench.scores(agent, tried);
      const { wins, losses } = signTest(before, after);
      if (losses - wins >= screenLosses) {
        const message = `of ${tried.length} dev tasks it lost ${losses} that its parent solves and won ${wins}: ${lost(before, after)}`;
        return { verdict: "regressed", message };
      }
    }
    return null;
  },
};

export const dev: Gate = {
  name: "dev",
  mendable: false,
  check: async ({ agent }, bench) => {
    const { wins, losses, p } = await againstChampion(bench, agent, "dev");
    const count = `${wins} won, ${losses} lost on dev against the champion`;
    if (chanceOfWins(losses, wins) <= REGRESSION_LEVEL) return { verdict: "regressed", message: count };
    // Without a gain on dev a test on validation would only use up a part of the error that is allowed.
    return wins > losses
      ? null
      : { verdict: "inconclusive", message: `${count} (p = ${p.toFixed(3)}): no gain to confirm` };
  },
};

export const validation: Gate = {
  name: "validation",
  mendable: false,
  check: async ({ agent }, bench, { alpha, family }) => {
    const { log } = bench.parts;
    if (log.state.testsDone >= family) {
      return { verdict: "inconclusive", message: `all ${family} tests on validation that this run may make are made` };
    }
    const against = log.state.champion;
    const { wins, losses, p } = await againstChampion(bench, agent, "validation");
    const level = levelOf(alpha, family);
    const test = { wins, losses, p, alpha: level, against };
    const message = `${wins} won, ${losses} lost on validation against agent ${against}: p = ${p.toPrecision(2)}, needed ${level.toPrecision(2)}`;
    if (p <= level) return { verdict: "accepted", message, test };
    const isWorse = chanceOfWins(losses, wins) <= REGRESSION_LEVEL;
    return { verdict: isWorse ? "regressed" : "inconclusive", message, test };
  },
};

/** All gates in the order of their cost. `surface` comes before these: it decides whether there is an agent at all. */
export const GATES: readonly Gate[] = [changed, types, version, smoke, screen, dev, validation];

/** What the gates say in the end: the first ruling, or tampering, which is looked for after every gate. */
export async function judge(
  candidate: Candidate,
  bench: Workbench,
  options: GateOptions,
  gates: readonly Gate[] = GATES,
): Promise<Ruling & { gate: string; mendable: boolean }> {
  const before = protectedHash(options.protectedPaths);
  for (const { name, mendable, check } of gates) {
    const ruling = await check(candidate, bench, options);
    if (protectedHash(options.protectedPaths) !== before) {
      return {
        verdict: "tampered",
        gate: "protected",
        mendable: false,
        message: "files that no agent may change were changed while it ran",
      };
    }
    if (ruling) return { ...ruling, gate: name, mendable: mendable && ruling.verdict !== "tampered" };
  }
  return { verdict: "inconclusive", gate: "none", mendable: false, message: "no gate decided" };
}

async function againstChampion(bench: Workbench, agent: AgentAdded, split: "dev" | "validation"): Promise<PairedTest> {
  const samples = bench.samples(split);
  const { state } = bench.parts.log;
  return signTest(await bench.scores(state.agent(state.champion), samples), await bench.scores(agent, samples));
}

const names = (measured: readonly Measured[]): string => measured.map(({ task }) => task).join(", ");

const lost = (before: Scores, after: Scores): string =>
  [...after].flatMap(([task, score]) => (score < (before.get(task) ?? 0) ? task : [])).join(", ");
