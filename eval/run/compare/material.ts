/** What two runs have in common: whether their models were shown the same, and every setting that differs. */

import type { Manifest } from "../manifest.ts";

/** One setting in which two runs differ. */
export interface Difference {
  /** Path in the manifest, e.g. `model.parameters.temperature`. */
  setting: string;
  a: string;
  b: string;
  /** True where it changes what the models were shown: then the scores do not compare. */
  material: boolean;
}

/** Settings that decide what a model is shown. */
const MATERIAL = /^(protocol|shown|dataset\.sha256|few_shot(\..*)?)$/;
/** Not a setting, or said elsewhere: which samples there are, and the name of a dataset whose content is the same. */
const SILENT = /^(samples|dataset\.name)$/;

/** What differs, what was shown first. */
export function differences(a: Manifest, b: Manifest): Difference[] {
  return walk(a.decides, b.decides, "")
    .filter(({ setting }) => !SILENT.test(setting))
    .sort((x, y) => Number(y.material) - Number(x.material));
}

function walk(a: unknown, b: unknown, setting: string): Difference[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  if (isRecord(a) && isRecord(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].flatMap((key) => walk(a[key], b[key], setting ? `${setting}.${key}` : key));
  }
  return [{ setting, a: brief(a), b: brief(b), material: MATERIAL.test(setting) }];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value on one line, short. A hash is known by its first characters. */
function brief(value: unknown): string {
  if (value === undefined || value === null) return "none";
  const text =
    typeof value === "string" ? value : Array.isArray(value) ? value.join(", ") || "none" : JSON.stringify(value);
  if (/^[0-9a-f]{64}$/.test(text)) return text.slice(0, 12);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
