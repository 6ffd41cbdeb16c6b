/** What test suites of honest projects ask of the machine, as a table: each probe ends with exit code 0 where it is there. */

import { JAVASCRIPT_PROBES } from "./javascript.ts";
import type { Probe } from "./probe.ts";
import { PYTHON_PROBES } from "./python.ts";
import { SHELL_PROBES } from "./shell.ts";

export const PROBES: readonly Probe[] = [...SHELL_PROBES, ...PYTHON_PROBES, ...JAVASCRIPT_PROBES];
