import { expect, test } from "vitest";
import { editsIn, withEdits } from "./edits.ts";

const SOURCE = `def area(w, h):
    """Area of a rectangle."""
    if w < 0:
        return 0
    return w + h


def double(x):
    return x + x
`;
const FIXED = SOURCE.replace("w + h", "w * h");
const apply = (text: string, source = SOURCE) => withEdits(source, editsIn(text));

test.each([
  [
    "a diff",
    "--- a/m.py\n+++ b/m.py\n@@ -3,3 +3,3 @@\n     if w < 0:\n         return 0\n-    return w + h\n+    return w * h",
  ],
  [
    "a diff with wrong numbers and words around it",
    "Here:\n```diff\n@@ -90 +1,7 @@ def area\n-    return w + h\n+    return w * h\n```\nDone.",
  ],
  ["a diff without headers", "```diff\n-    return w + h\n+    return w * h\n```"],
  ["a diff that leaves lines out", "@@\n def area(w, h):\n-    return w + h\n+    return w * h\n"],
  ["a block", "m.py\n```python\n<<<<<<< SEARCH\n    return w + h\n=======\n    return w * h\n>>>>>>> REPLACE\n```"],
  [
    "a block with context",
    "<<<<<<< SEARCH\n        return 0\n    return w + h\n=======\n        return 0\n    return w * h\n>>>>>>> REPLACE",
  ],
])("%s is applied", (_name, text) => {
  expect(apply(text)).toBe(FIXED);
});

test("several edits are all made, lines that only come or go, too", () => {
  const text =
    "@@\n     if w < 0:\n-        return 0\n+        raise ValueError(w)\n@@\n def double(x):\n+    # twice\n     return x + x\n";
  expect(apply(text)).toBe(
    SOURCE.replace("return 0", "raise ValueError(w)").replace("    return x + x", "    # twice\n    return x + x"),
  );
  expect(apply("@@\n-    if w < 0:\n-        return 0\n")).toBe(
    SOURCE.replace("    if w < 0:\n        return 0\n", ""),
  );
});

test.each([
  ["lines that are not there", "@@\n-    return w - h\n+    return w * h\n"],
  ["lines that are there twice", "@@\n-    return x\n+    return 2 * x\n", "    return x\n    return x\n"],
  ["an addition to nowhere", "@@\n def volume(a):\n+    pass\n"],
])("%s fit nowhere", (_name, text, source = SOURCE) => {
  expect(apply(text, source)).toBeNull();
});

test("files are named by headers and by the line before a block", () => {
  const text =
    "--- a/src/a.py\n+++ b/src/a.py\n@@\n-x\n+y\n--- a/b.py\t2026\n+++ b/b.py\n@@\n-x\n+y\n\n**c/d.ts**\n```\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```";
  expect(editsIn(text).map(({ file }) => file)).toEqual(["src/a.py", "b.py", "c/d.ts"]);
});

test.each(["", SOURCE, "- a list\n- of points", "Replace `+` by `*`.", "a @@ b", "<<<<<<< SEARCH\nno end"])(
  "%j holds no edit",
  (text) => {
    expect(editsIn(text)).toEqual([]);
  },
);
