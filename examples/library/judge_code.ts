/** Code that nobody trusts, judged by tests that run in a process of their own: it can neither read nor forge them. */

import { createSandbox, createTask, verify } from "mend";

await using sandbox = await createSandbox();
const candidates = {
  right: "def half(x):\n    return x // 2\n",
  wrong: "def half(x):\n    return x\n",
  cheat: "import os\n\ndef half(x):\n    os._exit(0)\n",
};
for (const [name, code] of Object.entries(candidates)) {
  const task = createTask({ code, entryPoint: "half", tests: "assert half(10) == 5" });
  const { accepted, observation } = await verify(task, code, { sandbox });
  console.log(`${name}: ${accepted ? "accepted" : observation.status}`);
}
