import { expect, test } from "vitest";
import { startWebServer } from "../../testing/web_server.ts";
import { Hub } from "./hub.ts";

test("HF_TOKEN goes to the hub and not to the server that the hub redirects to", async () => {
  const tokens: [string, string | undefined][] = [];
  await using storage = await startWebServer((request, response) => {
    tokens.push(["storage", request.headers.authorization]);
    response.end("weights");
  });
  await using front = await startWebServer((request, response) => {
    tokens.push(["hub", request.headers.authorization]);
    response.writeHead(302, { location: `${storage.url}/blob` }).end();
  });
  const hub = new Hub("model", { HF_ENDPOINT: front.url, HF_TOKEN: "hf_secret" });
  const { body } = await hub.open({ id: "a/b", revision: "abc", files: [] }, "model.onnx", 0);
  expect(await new Response(body).text()).toBe("weights");
  expect(tokens).toEqual([
    ["hub", "Bearer hf_secret"],
    ["storage", undefined],
  ]);
});
