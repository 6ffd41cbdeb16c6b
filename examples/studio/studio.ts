/** What `npm run dev` serves to LangGraph Studio: the repair graph. `MODEL_NAME` chooses its model. */

import { createModel, createRepairGraph, createSandbox } from "../../index.ts";

const sandbox = await createSandbox({ concurrency: 2 });
const model = await createModel();
export const graph = createRepairGraph({ model, sandbox });
