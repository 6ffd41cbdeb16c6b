import { createServer, type RequestListener } from "node:http";
import { expect, test } from "vitest";
import { Hub } from "./hub.ts";

async function startServer(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("HF_TOKEN goes to the hub and not to the server that the hub redirects to", async () => {
  const tokens: [string, string | undefined][] = [];
  await using storage = await startServer((request, response) => {
    tokens.push(["storage", request.headers.authorization]);
    response.end("weights");
  });
  await using front = await startServer((request, response) => {
    tokens.push(["hub", request.headers.authorization]);
    response.writeHead(302, { location: `${storage.url}/blob` }).end();
  });
  const hub = new Hub({ HF_ENDPOINT: front.url, HF_TOKEN: "hf_secret" });
  const { body } = await hub.open({ id: "a/b", revision: "abc", files: [] }, "model.onnx", 0);
  expect(await new Response(body).text()).toBe("weights");
  expect(tokens).toEqual([
    ["hub", "Bearer hf_secret"],
    ["storage", undefined],
  ]);
});
