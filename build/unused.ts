/** An esbuild plugin: tables that libraries load whole, and of which the command asks for nothing, are left out of it. */

import type { Plugin } from "esbuild";

const UNUSED: { file: RegExp; instead: string }[] = [
  // Messages of zod in other languages than English.
  { file: /\/zod\/v4\/locales\/index\.js$/, instead: "export {};" },
  // All classes of LangChain, by which it reads objects that it wrote; the command keeps no checkpoints.
  { file: /\/@langchain\/core\/dist\/load\/import_map\.js$/, instead: "export const import_map_exports = {};" },
];

export const withoutUnused: Plugin = {
  name: "without-unused",
  setup({ onLoad }) {
    for (const { file, instead } of UNUSED) onLoad({ filter: file }, () => ({ contents: instead, loader: "js" }));
  },
};
