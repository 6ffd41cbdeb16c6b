#!/usr/bin/env node
/** `mend` as it is built: all of `main.ts` is one script beside this file. */

import { runKept } from "../../utils/program/kept_script.ts";

const [, , word = ""] = process.argv;
runKept(new URL("program.cjs", import.meta.built), /^[a-z]{1,20}$/.test(word) ? word : "mend");
