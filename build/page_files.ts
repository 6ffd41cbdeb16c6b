/** The scripts of the pages as files beside a bundle, where `eval/pages/build/scripts.ts` reads them. */

import { join } from "node:path";
import { build, type Metafile } from "esbuild";
import { PAGES, SCRIPT_OPTIONS } from "../eval/pages/build/scripts.ts";
import { ROOT } from "./options.ts";

/** @param bundle its folder */
export async function buildPages(bundle: string): Promise<Metafile> {
  const { metafile } = await build({
    ...SCRIPT_OPTIONS,
    absWorkingDir: ROOT,
    entryPoints: Object.entries(PAGES).map(([out, file]) => ({ in: join("eval/pages", file), out })),
    outdir: join(bundle, "pages"),
    metafile: true,
  });
  return metafile;
}
