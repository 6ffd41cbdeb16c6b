import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { listBenchmarks, renderList } from "./list.ts";
import { BENCHMARKS } from "./table.ts";

test("every row of the table is listed whole, and the built-in tasks are here without a hub", async () => {
  using folder = temporaryFolder();
  vi.stubEnv("HF_HUB_CACHE", folder.path);
  const listed = await listBenchmarks();
  vi.unstubAllEnvs();
  expect(listed.map(({ name }) => name)).toEqual(BENCHMARKS.map(({ name }) => name));
  for (const { here, ...told } of listed)
    expect(
      Object.values(told).filter((text) => text.trim() === ""),
      told.name,
    ).toEqual([]);
  expect(listed[0]?.here).toBe("builtin: 30 tasks; the hub's are not in the cache");
  const text = renderList(listed);
  expect(text).toMatch(/^evalplus: .*\n {2}size .*378/m);
  expect(text).toContain("here      no: give its path with --dataset");
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
});
