// @module-tag deep
import { expect, test } from "vitest";
import { buggyProgram } from "../../utils/task/task.ts";
import { correct, describeCompiled } from "./testing/compiled_language.ts";

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
    conversation: {
      looks: "System.out.println(2 + 3);",
      breaks: (program) => program.replace("out.toString", "put.toString"),
      complaint: "cannot find symbol",
      method:
        'public String unmasked(String text) {\n    return text.chars().mapToObj(c -> String.valueOf((char) (c - 1))).reduce("", String::concat);\n}',
      shown: [/You repair Java functions[\s\S]*```java/, /does not compile: line \d+: cannot find symbol/],
    },
    protocol: "tests",
  },
  ({ taskAt, outcome, ran }) => {
    test("the explanation of a failure: the check, the call, what came back; an exception with its line; a compiler's error with its own", async () => {
      const task = taskAt(0);
      expect(await outcome(task, buggyProgram(task))).toMatchObject({
        explanation:
          "line 5: s.wetDays(Arrays.asList(0.5, 0.5), 0.5) == 0; the last call wetDays([0.5, 0.5], 0.5) returned 2",
      });
      const throws = correct(task).replace("return count;", "return readings.size() / 0;");
      expect(await outcome(task, throws)).toMatchObject({
        explanation: expect.stringContaining("threw ArithmeticException: / by zero (line 10 of the program)"),
      });
      const broken = correct(task).replace("return count;", "return counts;");
      expect(await outcome(task, broken)).toMatchObject({
        outcome: "failed",
        explanation: expect.stringMatching(/^the program does not compile: line 10: cannot find symbol .*counts/),
      });
      const wider = correct(task).replace("public int wetDays", "public long wetDays");
      expect(await outcome(task, wider)).toMatchObject({ outcome: "passed" });
      expect(await outcome(task, "class Solution { }")).toMatchObject({
        explanation: "the program does not define a method `wetDays` in a class `Solution`",
      });
    });

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
