/** All hostile programs. */

import { equalities } from "./equalities.ts";
import { exits } from "./exits.ts";
import { forgeries } from "./forgeries.ts";
import { harmful } from "./harmful.ts";
import { oddities } from "./oddities.ts";
import { patches } from "./patches.ts";
import type { HostileProgram } from "./program.ts";
import { thefts } from "./thefts.ts";
import { updates } from "./updates.ts";
import { values } from "./values.ts";

export const HOSTILE_PROGRAMS: HostileProgram[] = [
  ...exits,
  ...forgeries,
  ...equalities,
  ...values,
  ...updates,
  ...patches,
  ...thefts.map((theft) => ({ timeoutMs: 5000, ...theft })),
  ...harmful,
  ...oddities,
];
