/** Judges untrusted code by tests that run in a separate process: the code can neither read nor forge them. */

import { createSandbox, createTask, verify } from "mend";

await using sandbox = await createSandbox();
const candidates = {
  right: "def half(x):\n    return x // 2\n",
  wrong: "def half(x):\n    return x\n",
  cheat: "import os\n\ndef half(x):\n    os._exit(0)\n",
  helper: "def abs(x):\n    return 0\n\ndef half(x):\n    return 100\n",
};
// Tests may use what stands around the function in the task's code, so that code is yours and no candidate's.
const task = createTask({
  code: "def half(x):\n    ...\n",
  entryPoint: "half",
  tests: "assert abs(half(10) - 5) < 0.1",
});
for (const [name, code] of Object.entries(candidates)) {
  const { accepted, observation } = await verify(task, code, { sandbox });
  console.log(`${name}: ${accepted ? "accepted" : observation.status}`);
}
