#!/usr/bin/env node
/** `mend` as it is built: all of `main.ts` is one script beside this file. */

import { createRequire } from "node:module";
import { keepCompiledCode } from "../../utils/program/compile_cache.ts";

keepCompiledCode();
createRequire(import.meta.built ?? import.meta.url)("./program.cjs");
