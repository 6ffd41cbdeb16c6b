import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import { ADD_TASK } from "../../utils/testing/add_task.ts";
import { TOOLS } from "./table.ts";
import { parametersOf } from "./tool.ts";

const sandbox = await openForTests();

test.each(TOOLS)("the schema of $name is JSON Schema 2020-12 without tuples, as model servers take it", ({ make }) => {
  const schema = parametersOf(make(ADD_TASK, sandbox));
  expect(new Ajv2020().validateSchema(schema)).toBe(true);
  expect(JSON.stringify(schema)).not.toMatch(/"prefixItems"|"items":\[/);
});
