// @module-tag deep
import { expect, test } from "vitest";
import { describeCompiled } from "./testing/compiled_language.ts";

/** The test holds only if it sees what the program changes in its arguments. */
const CHANGES =
  'import java.util.*;\nclass Solution {\n    public void turn(int[] items, List<String> names, Map<String, Integer> by) {\n        items[0] = 9;\n        names.add("x");\n        by.remove("a");\n    }\n}\n';
const SEES_CHANGES = `public class Main {
    public static void main(String[] args) {
        int[] items = {1, 2};
        List<String> names = new ArrayList<>();
        Map<String, Integer> by = new HashMap<>(Map.of("a", 1, "b", 2));
        new Solution().turn(items, names, by);
        if (items[0] != 9 || !names.equals(List.of("x")) || !by.equals(Map.of("b", 2))) throw new AssertionError();
    }
}`;

describeCompiled(
  {
    language: "java",
    renamed: "Java/3",
    entryPoints: ["wetDays", "stock", "unmasked", "firstGap"],
    undeclared: {
      program: CHANGES,
      entryPoint: "turn",
      test: SEES_CHANGES,
      cheat: CHANGES.replace("class Solution {", "class Solution {\n    static { System.exit(0); }\n"),
      unfit: CHANGES.replace("int[] items", "java.net.Socket items"),
    },
    protocol: "tests",
  },
  ({ ran }) => {
    test("programs are run for what they print: a class with a main, or statements alone", async () => {
      expect(
        await ran(
          "public class A { public static void main(String[] a) { System.out.println(6 * 7); System.exit(3); } }",
        ),
      ).toMatchObject({
        status: "exited",
        exitCode: 3,
        stdout: "42\n",
      });
      expect(await ran("List<Integer> x = List.of(1, 2);\nSystem.out.println(x);")).toMatchObject({
        exitCode: 0,
        stdout: "[1, 2]\n",
      });
      const thrown = await ran("int[] x = {1};\nSystem.out.println(x[1]);");
      expect(thrown).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/ArrayIndexOutOfBounds[\s\S]*Program\.java:2\)\n$/),
      });
      expect(await ran("int x = 1;\nint y = z;")).toMatchObject({ status: "syntax_error", line: 2 });
      expect(await ran("class A { }")).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining("it compiles; no class has a method"),
      });
      const read = await ran("System.out.println(System.in.read());");
      expect(read).toMatchObject({ exitCode: 0, stdout: "-1\n" });
    });
  },
);
