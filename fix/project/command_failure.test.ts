import { expect, test } from "vitest";
import { openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { makeRepository } from "../testing/repositories.ts";
import { prepareForTests } from "../testing/scripted.ts";

const FILES = {
  "half.py": "def half(x):\n    return x * 2\n",
  "check.py": 'from half import half\n\nif half(4) != 2:\n    raise SystemExit("half of 4 is not 2")\n',
  "broken.sh": "echo preparing\ncp settings.ini /tmp/settings.ini\npython3 check.py\n",
  "set -e.sh": "set -e\necho preparing\ncp settings.ini /tmp/settings.ini\npython3 check.py\n",
};
const SAME = /ends the same way when every source file is broken, so it may fail before it tests anything/;

test.each([
  ["python3 check.py", false],
  ["sh 'set -e.sh'", true],
  ["sh broken.sh", false],
  ["python3 check.py > /dev/null 2>&1", false],
])("%s: whether what it says depends on the source", DEEP, async (command, isSame) => {
  using repository = makeRepository(FILES);
  const box = await openCommandBox();
  const said: string[] = [];
  using prepared = await prepareForTests(repository.path, command, { box, say: (line) => said.push(line) });
  expect(prepared.baseline.failing).toHaveLength(1);
  if (isSame) expect(said.join("\n")).toMatch(SAME);
  else expect(said.join("\n")).not.toMatch(SAME);
});
