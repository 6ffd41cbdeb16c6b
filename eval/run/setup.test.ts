import { expect, test, vi } from "vitest";
import { Arguments } from "../../utils/program/cli.ts";
import { openModel } from "./setup.ts";

test("options that the chosen model passes over are named", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const open = async (given: Record<string, string>) => {
    const model = await openModel(new Arguments({ model: "search", ...given }, []), 1000);
    await model.close();
    return said.mock.calls.splice(0).flat();
  };
  expect(await open({ temperature: "0.5", seed: "1", threads: "2" })).toEqual([
    "note: The search engine ignores --temperature, --threads.",
  ]);
  expect(await open({ seed: "1", "search-steps": "10" })).toEqual([]);
  said.mockRestore();
});
