// @module-tag deep
import { expect, test } from "vitest";
import { describeCompiled } from "./testing/compiled_language.ts";

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
    protocol: "tests",
  },
  ({ ran }) => {
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
