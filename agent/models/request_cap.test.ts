import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { RequestCap } from "../../utils/base/concurrency/request_cap.ts";
import { connectTo } from "./testing/calls.ts";
import { startFakeOpenAI } from "./testing/fake_openai.ts";

test("a server that refuses more than two requests at a time answers all of twelve, with few refusals", async () => {
  const places = 2;
  let [underWay, most, refusals] = [0, 0, 0];
  await using server = await startFakeOpenAI({
    reply: async ({ last }) => {
      if (underWay >= places) {
        refusals += 1;
        return { status: 429, headers: { "retry-after-ms": "20" } };
      }
      underWay += 1;
      most = Math.max(most, underWay);
      await sleep(15);
      underWay -= 1;
      return `echo ${last}`;
    },
  });
  const lines: string[] = [];
  const model = await connectTo(server.url, { maxRetries: 5, maxRequests: 8, log: (line) => lines.push(line) });
  const conversations = Array.from({ length: 12 }, async (_, i) => (await model.chat.invoke(`${i}`)).text);
  expect(await Promise.all(conversations)).toEqual(Array.from({ length: 12 }, (_, i) => `echo ${i}`));
  expect(most).toBe(places);
  expect(refusals).toBeLessThan(12);
  expect(lines.filter((line) => line.includes("requests at a time")).length).toBeGreaterThan(0);
});

const quiet = { log: () => {} };

test("requests wait in order, and one that is aborted gives up its turn", async () => {
  const cap = new RequestCap({ max: 1, ...quiet });
  const leave = await cap.enter();
  const order: string[] = [];
  const stop = new AbortController();
  const aborted = cap.enter(stop.signal).then(
    () => order.push("aborted got in"),
    () => order.push("aborted"),
  );
  const second = cap.enter().then((leaveSecond) => {
    order.push("second");
    leaveSecond();
  });
  const third = cap.enter().then(() => order.push("third"));
  stop.abort(new Error("stop"));
  await aborted;
  expect(order).toEqual(["aborted"]);
  leave();
  await Promise.all([second, third]);
  expect(order).toEqual(["aborted", "second", "third"]);
});
