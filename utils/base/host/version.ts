/** The version of this package. Without zod, whose loading is half of what `mend --help` costs. */

import { readFileSync } from "node:fs";

/** @throws Error where `package.json` has none */
export function ownVersion(): string {
  const own: unknown = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  if (typeof own === "object" && own !== null && "version" in own && typeof own.version === "string")
    return own.version;
  throw new Error("package.json names no version");
}
