/**
 * Ends the program where tsx was started in a folder with a `tsconfig.json` of its own: the `paths` of that file lead
 * imports of ours to files of that folder, which may be anybody's. Every file that is run by `npx tsx` imports this
 * first: modules run in the order of their imports, so nothing of that folder has run then. It imports nothing that
 * `paths` could lead elsewhere.
 */

import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { OWN_TSCONFIG } from "../base/host/tsx.ts";

const options = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? "").split(/\s+/)];
const usesTsx = options.some((word) => /(?:^|[/\\=])tsx(?:[/\\]|$)/.test(word));
const found = usesTsx && !process.env.TSX_TSCONFIG_PATH ? nearestTsconfig(process.cwd()) : undefined;
if (found !== undefined && realpathSync(found) !== realpathSync(OWN_TSCONFIG)) {
  const file = process.argv[1] ?? "";
  const own = dirname(OWN_TSCONFIG);
  console.error(
    `error: tsx reads ${found}, which could lead mend's own imports to files of that folder: run it in ` +
      `${own}, as \`mend\`, or as \`TSX_TSCONFIG_PATH=${OWN_TSCONFIG} npx tsx ` +
      `${join(own, relative(own, file))}\`.`,
  );
  process.exit(2);
}

function nearestTsconfig(folder: string): string | undefined {
  const file = join(folder, "tsconfig.json");
  if (existsSync(file)) return file;
  return dirname(folder) === folder ? undefined : nearestTsconfig(dirname(folder));
}
