/** Where in a cache the new tokens of a pass lie. */

import type { GraphNode, NodeWriter } from "./node.ts";
import { DATA_TYPE } from "./schema.ts";

/** GroupQueryAttention's inputs: past keys, and `seqlens_k`, the last position of every row. */
const [PAST_KEY_INPUT, LAST_POSITION_INPUT] = [3, 5];
/** Indices of the new tokens in `present.*`, in its shape but for the tokens. */
export const NEW_ROWS = "mend.delta.index";

/**
 * Writes NEW_ROWS and on the way `mend.fresh` (how many tokens are new), `mend.past` [rows, 1] (how many each row
 * holds),
 * `mend.positions` [rows, new] and `mend.past.shape`. @param attention any of the graph's attention nodes
 */
export function writePositions(writer: NodeWriter, attention: GraphNode): void {
  const add = writer.add.bind(writer);
  const one = writer.int([1]);
  const fresh = add("Gather", [add("Shape", ["input_ids"], "ids.shape"), one], "fresh");
  const last = add("Cast", [attention.inputs[LAST_POSITION_INPUT] ?? ""], "last", { to: DATA_TYPE.int64 });
  const lengths = add("Add", [add("Reshape", [last, writer.int([-1, 1])], "last.column"), one], "lengths");
  const range = add("Range", [writer.int(0), add("Squeeze", [fresh], "fresh.scalar"), writer.int(1)], "range");
  const positions = add("Add", [add("Sub", [lengths, fresh], "past"), range], "positions");
  const spread = add("Concat", [writer.int([-1]), one, fresh, one], "positions.shape", { axis: 0 });
  const shape = add("Shape", [attention.inputs[PAST_KEY_INPUT] ?? ""], "past.shape");
  const outer = add("Gather", [shape, writer.int([0, 1])], "past.outer");
  const width = add("Gather", [shape, writer.int([3])], "past.width");
  const whole = add("Concat", [outer, fresh, width], "delta.shape", { axis: 0 });
  add("Expand", [add("Reshape", [positions, spread], "positions.4d"), whole], "delta.index");
}
