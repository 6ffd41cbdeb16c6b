import { expect, test } from "vitest";
import { OFFERS } from "./offer.ts";
import { RefusalLog, refuse } from "./refusals.ts";
import { SimulatedBroker } from "./testing/simulated.ts";

const KEY = "a secret of this test";
/** Workers take nothing: refusals are read where they lie. */
const open = () => new SimulatedBroker({ workers: 0, durationMs: () => 1, outcome: () => null });

test("a coordinator hears each refusal of its run once, and leaves none behind", async () => {
  const broker = open();
  await broker.queue(OFFERS).add([
    { id: "run", data: 1 },
    { id: "other", data: 1 },
  ]);
  const heard = new RefusalLog(broker, KEY, "run");
  await refuse(broker, KEY, "run", { worker: "host:1", why: "code is a in the run and b here" });
  await refuse(broker, KEY, "other", { worker: "host:1", why: "no" });
  await refuse(broker, "another key", "run", { worker: "host:2", why: "forged" });
  expect(await heard.lines()).toEqual(["queue: worker host:1 refuses this run: code is a in the run and b here."]);
  expect(await heard.lines()).toEqual([]);
  await refuse(broker, KEY, "run", { worker: "host:1", why: "the model is another" });
  expect(await heard.lines()).toEqual(["queue: worker host:1 refuses this run: the model is another."]);
  await heard.leave();
  await new RefusalLog(broker, KEY, "other").leave();
  expect(broker.size).toBe(2);
});

test("a refusal of a run that is gone is not left", async () => {
  const broker = open();
  await refuse(broker, KEY, "run", { worker: "host:1", why: "no" });
  expect(broker.size).toBe(0);
});
