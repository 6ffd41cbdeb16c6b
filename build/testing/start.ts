/**
 * For tests: runs a program as Node would run its source: `start.js SOURCE ARGUMENT…`, with both in `process.argv`. What
 * is not a module of its own is in the script of all commands.
 */

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = new URL(import.meta.built ?? import.meta.url);

process.argv.splice(1, 1);
const file = relative(fileURLToPath(new URL("../../", import.meta.url)), process.argv[1] ?? "");
const module = new URL(file.replace(/ts$/, "js"), FOLDER);
if (existsSync(module)) await import(module.href);
else createRequire(FOLDER)("./commands.cjs");
