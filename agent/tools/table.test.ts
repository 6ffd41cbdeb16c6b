import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import { ADD_TASK } from "../../utils/testing/add_task.ts";
import { fileTools } from "./editor_table.ts";
import { RUN_TESTS } from "./run_tests.ts";
import { TOOLS } from "./table.ts";
import { parametersOf, SUBMIT, schemaOf } from "./tool.ts";
import { Workspace } from "./workspace.ts";

const sandbox = await openForTests();

test.each(TOOLS)("the schema of $name is JSON Schema 2020-12 without tuples, as model servers take it", ({ make }) => {
  const schema = parametersOf(make(ADD_TASK, sandbox));
  expect(new Ajv2020().validateSchema(schema)).toBe(true);
  expect(JSON.stringify(schema)).not.toMatch(/"prefixItems"|"items":\[/);
});

test("all schemas of a repository's tools have about 500 tokens together, as every request carries them", () => {
  using folder = makeTemporaryFolder("tools");
  const shell = async () => ({ status: "exit code 0", output: "", changed: [], durationMs: 0 });
  const own = fileTools(Workspace.ofAnyFiles(folder.path), sandbox, shell);
  const schemas = [...own, RUN_TESTS, SUBMIT].map(schemaOf);
  expect(schemas.map((one) => one.function.name)[0]).toBe("run");
  expect(JSON.stringify(schemas).length / 4).toBeLessThan(520);
  expect(JSON.stringify(schemas), "limits that refuse a call").toContain('"maxLength":200');
});
