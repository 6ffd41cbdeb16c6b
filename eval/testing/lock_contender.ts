/** For tests: a process that tries to take locks at given moments, in a contest with others. */

import { z } from "zod";
import { UserError } from "../../utils/base/data/errors.ts";
import { lock } from "../run/lock.ts";

/** Try to take `file` at the moment `at` (Date.now()), or give back what was taken. */
const Order = z.union([z.object({ file: z.string(), at: z.number() }), z.literal("give back")]);

let giveBack = () => {};

process.on("message", (message) => {
  const order = Order.parse(message);
  if (order === "give back") giveBack();
  process.send?.(order === "give back" ? "given back" : attempt(order.file, order.at));
});
process.send?.("ready");

function attempt(file: string, at: number): "won" | "lost" {
  giveBack = () => {};
  while (Date.now() < at);
  try {
    giveBack = lock(file, "r");
    return "won";
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return "lost";
  }
}
