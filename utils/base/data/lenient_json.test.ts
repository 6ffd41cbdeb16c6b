/** Objects in the text of a model. How its replies are read is tested with the dialects. */
import { expect, test } from "vitest";
import { readObject } from "./lenient_json.ts";

test.each([
  ["alone", '{"a": 1}', { a: 1 }],
  [
    "in a fence after a thought",
    'I see {no} problem.\n```json\n{"a": [1, {"b": 2}]}\n```\nDone {"c": 3}',
    { a: [1, { b: 2 }] },
  ],
  ["as Python writes it", "{'a': True, }", { a: true }],
  ["cut in a string", '{"a": "b', undefined],
  ["nowhere", "no object", undefined],
  ["in noise", "{".repeat(100_000), undefined],
])("an object %s", (_, text, object) => {
  expect(readObject(text)).toEqual(object);
});
