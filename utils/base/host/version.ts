import { readFileSync } from "node:fs";
import { z } from "zod";

const Package = z.object({ version: z.string() });

/** Of this package. */
export const ownVersion = (): string =>
  Package.parse(JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"))).version;
