/** A tool of a caller: what is wrong with it is named when it is made. */

import { z } from "zod";
import { defineTool as define } from "../../agent/tools/tool.ts";
import { parseRecord } from "../../utils/base/data/record.ts";

/** Callers in JavaScript have no types. */
const Definition = z.strictObject({
  name: z.string().regex(/^[\w-]{1,64}$/, "servers take up to 64 letters, digits, _ and -"),
  description: z.string(),
  input: z.custom((input) => input instanceof z.core.$ZodType, "a schema of Zod 4 is needed, as z.object({ … })"),
  otherNames: z.unknown().optional(),
  run: z.custom((run) => typeof run === "function", "a function is needed"),
});

/** `defineTool` of `agent/tools/tool.ts`. @throws UserError for a part that is missing or wrong */
export const defineTool: typeof define = (definition) => {
  parseRecord(definition, Definition, "defineTool");
  return define(definition);
};
