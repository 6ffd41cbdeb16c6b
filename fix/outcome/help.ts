/** What a user could bring where nothing was found: one sentence each, the likeliest help first. */

import type { ModelKind } from "../../agent/models/model.ts";
import type { Stop } from "../../agent/run/trajectory.ts";
import { NO_NETWORK, wantsNetwork } from "../../utils/frameworks/test_run.ts";
import { titlesOf } from "../../utils/languages/registry.ts";
import { SEARCHED } from "../../utils/search/tables.ts";
import type { SearchTime } from "../attempts/search_time.ts";
import type { RepairRequest } from "../scope/scope.ts";
import type { Outcome } from "./outcome.ts";

const MOST = 3;
/** Fewer tests say little of what is wrong. */
const ENOUGH_TESTS = 3;
const ANOTHER_MODEL = "a language model, which can do more than small edits: --model openai:NAME";
const MORE_EDITS = "more edits: --search-steps N, --max-iterations N";
const FALLBACK = `--fallback search, which tries small edits (${titlesOf(SEARCHED)})`;

interface FailureFacts extends Pick<Outcome, "file" | "before"> {
  stop: Stop;
  time: SearchTime | undefined;
}

export function helpFor(
  { file, before: { passing, failing }, stop, time }: FailureFacts,
  { isSearch }: ModelKind,
  { maxIterations, timeoutMs }: Pick<RepairRequest, "maxIterations" | "timeoutMs">,
): string[] {
  const tell = file === null ? "--issue FILE" : "--instruction";
  const hasFallback = file !== null;
  return [
    ...(time?.isUp ? [time.explanation] : []),
    ...(failing.some(({ message }) => wantsNetwork(message)) ? [NO_NETWORK] : []),
    ...(isSearch ? [ANOTHER_MODEL] : []),
    ...(passing.length + failing.length < ENOUGH_TESTS
      ? [`more tests, or one test split into several with one assertion each, or a description of the bug: ${tell}`]
      : []),
    ...(stop === "budget" ? [`more time: --timeout above ${timeoutMs / 1000} seconds`] : []),
    ...(stop === "max_iterations"
      ? [isSearch ? MORE_EDITS : `more turns: --max-iterations above ${maxIterations}`]
      : []),
    ...(isSearch || !hasFallback ? [] : [FALLBACK]),
  ].slice(0, MOST);
}
