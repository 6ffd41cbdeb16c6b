import { expect, test } from "vitest";
import { lastWords } from "./install.ts";

test("of a build that fails the exception is shown, and not its trace", () => {
  const said = `Using Python 3.10
  × Failed to build \`a @ file:///project\`
  ├─▶ The build backend returned an error
  ╰─▶ Call to \`setuptools.build_meta.build_wheel\` failed (exit status: 1)
      [stderr]
      Traceback (most recent call last):
        File "<string>", line 14, in <module>
        File "setup.py", line 8, in <module>
          version=get_version(),
      AssertionError: set tag_prefix
      hint: This usually indicates a problem with the package.
`;
  expect(lastWords(said)).toMatch(/^Failed to build .*; The build backend .*; AssertionError: set tag_prefix$/);
  expect(lastWords("error: no such package")).toBe("error: no such package");
});
