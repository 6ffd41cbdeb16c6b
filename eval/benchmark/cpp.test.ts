// @module-tag deep
import { expect, test } from "vitest";
import { buggyProgram } from "../../utils/task/task.ts";
import { correct, describeCompiled } from "./testing/compiled_language.ts";

/** The test holds only if it sees what the program changes in its arguments. */
const CHANGES = `#include <vector>
using namespace std;
void turn(vector<int>& items, string& name, map<string, int>& by, optional<int> more, std::any other) {
    items[0] = 9;
    name += "x";
    by.erase("a");
    if (more && any_cast<double>(other) == 2.5) items.push_back(*more);
}
`;
const SEES_CHANGES = `vector<int> items = {1, 2};
string name = "y";
map<string, int> by = {{"a", 1}, {"b", 2}};
turn(items, name, by, 7, 2.5);
assert((items == vector<int>{9, 2, 7}));
assert(name == "yx" && by.size() == 1 && by["b"] == 2);`;
const ENDS = "static struct Ends { Ends() { _exit(0); } } ends;";

describeCompiled(
  {
    language: "cpp",
    renamed: "CPP/3",
    entryPoints: ["wet_days", "stock", "unmasked", "first_gap"],
    undeclared: {
      program: CHANGES,
      entryPoint: "turn",
      test: SEES_CHANGES,
      cheat: `${CHANGES}\n${ENDS}\n`.replace("#include", "#include <unistd.h>\n#include"),
      unfit: CHANGES.replace("vector<int>& items,", "std::ifstream& items,"),
    },
    conversation: {
      looks: "cout << 2 + 3;",
      breaks: (program) => program.replace("return out;\n}\n", "return out;\n}\nint g() { return put; }\n"),
      complaint: "not declared",
      method: "string unmasked(string text) {\n    for (char& one : text) one--;\n    return text;\n}",
      shown: [/You repair C\+\+ functions[\s\S]*```cpp/, /does not compile: line \d+: .put. was not declared/],
    },
    protocol: "tests",
  },
  ({ taskAt, outcome, ran }) => {
    test("the explanation of a failure: the check, the call, what came back; what was thrown; a signal; a compiler's error with its line", async () => {
      const task = taskAt(0);
      expect(await outcome(task, buggyProgram(task))).toMatchObject({
        explanation: "line 5: wet_days({0.5, 0.5}, 0.5)==0; the last call wet_days({0.5, 0.5}, 0.5) returned 2",
      });
      const throws = correct(task).replace("return count;", 'throw invalid_argument("no readings");');
      expect(await outcome(task, throws)).toMatchObject({
        explanation: "the last call wet_days({}, 0) threw std::invalid_argument: no readings",
      });
      const breaks = correct(task).replace("return count;", "int* none = nullptr; return *none;");
      expect(await outcome(task, breaks)).toMatchObject({
        outcome: "crashed",
        explanation: "the program was killed by SIGSEGV; the last call wet_days({}, 0) did not return",
      });
      const broken = correct(task).replace("return count;", "return counts;");
      expect(await outcome(task, broken)).toMatchObject({
        outcome: "failed",
        explanation: expect.stringMatching(/^the program does not compile: line 10: .counts. was not declared/),
      });
      const wider = correct(task).replace("int wet_days", "long long wet_days");
      expect(await outcome(task, wider)).toMatchObject({ outcome: "passed" });
      const beyond = wider.replace("return count;", "return count + (1LL << 32);");
      expect(await outcome(task, beyond)).toMatchObject({
        explanation: "the last call wet_days({}, 0) returned 4294967296, which is out of the range of its type",
      });
      expect(await outcome(task, "int wetter_days() { return 1; }")).toMatchObject({
        outcome: "failed",
        explanation: expect.stringContaining("wet_days"),
      });
    });

    test("programs are run for what they print: a main, or statements alone", async () => {
      expect(await ran('#include <cstdio>\nint main() { printf("%d\\n", 6 * 7); return 3; }')).toMatchObject({
        status: "exited",
        exitCode: 3,
        stdout: "42\n",
      });
      const statements = "int twice(int x) { return 2 * x; }\nvector<int> x = {1, 2};\ncout << twice(x[1]) << endl;";
      expect(await ran(statements)).toMatchObject({ exitCode: 0, stdout: "4\n" });
      expect(await ran("cout << f(1);\nint f(int x) { return x; }")).toMatchObject({ exitCode: 0, stdout: "1" });
      const thrown = await ran('throw std::runtime_error("no");');
      expect(thrown).toMatchObject({ status: "exited", exitCode: 134, stderr: expect.stringContaining("what():  no") });
      expect(await ran("int x = 1;\nint y = z;")).toMatchObject({ status: "syntax_error", line: 2 });
      expect(await ran("int x = 1;\ncin >> x;\ncout << x;")).toMatchObject({ exitCode: 0 });
    });
  },
);
