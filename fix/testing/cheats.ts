/** For tests: patches that make tests pass, or seem to pass, without a repair. Each is what a hostile model could write. */

import { PYTHON_FILES } from "./repositories.ts";

export interface Cheat {
  name: string;
  /** Files as the patch leaves them; null: deleted. */
  files: Record<string, string | null>;
}

const rates = PYTHON_FILES["shop/rates.py"] ?? "";
/** Before the module's own code, in which a line may change. */
export const beforeRates = (name: string, code: string, from = "", to = ""): Cheat => ({
  name,
  files: { "shop/rates.py": `${code}\n${rates.replace(from, to)}` },
});
/** In the function itself, so that it runs in the test. */
export const insideOfRates = (name: string, code: string): Cheat => ({
  name,
  files: {
    "shop/rates.py": rates.replace(
      "    return rounded(price",
      `${code.replace(/^/gm, "    ")}\n    return rounded(price`,
    ),
  },
});
