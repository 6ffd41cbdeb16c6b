import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { UserError } from "../../../utils/base/data/errors.ts";
import { Arguments, EXIT } from "../../../utils/program/cli.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { figuresKeeper } from "./figures.ts";

const peerOf = (name: string) => (name === "peer" ? undefined : "peer");
const measured = (mend: number, peer: number) => ({ unit: "ms", figures: { mend, peer }, peerOf });

test.each([
  ["as it was, on a machine twice as slow", 8, 4, EXIT.ok, "1.00"],
  ["half as much again as the peer", 6, 2, EXIT.failed, "1.50"],
  ["less than before", 2, 2, EXIT.ok, "0.50"],
])("figures are kept, and later ones stand in relation to them: %s", (_, mend, peer, exitCode, said) => {
  using folder = temporaryFolder();
  const file = join(folder.path, "figures.json");
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(figuresKeeper(new Arguments({ out: file }, []))(measured(4, 2))).toBe(EXIT.ok);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    unit: "ms",
    processor: expect.stringMatching(/./),
    date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    figures: { mend: 4, peer: 2 },
  });
  expect(figuresKeeper(new Arguments({ against: file }, []))(measured(mend, peer))).toBe(exitCode);
  expect(told.mock.calls).toEqual([[expect.stringContaining(`mend: ${said} of the earlier figure`)]]);
  told.mockRestore();
});

test("a file without figures, or with those of something else, is reported in one sentence", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "figures.json");
  writeFileSync(file, "[]");
  expect(() => figuresKeeper(new Arguments({ against: file }, []))).toThrow(UserError);
  figuresKeeper(new Arguments({ out: file }, []))(measured(4, 2));
  const keep = figuresKeeper(new Arguments({ against: file }, []));
  expect(() => keep({ unit: "MB", figures: { mend: 1 } })).toThrow("The earlier figures are in ms, and these in MB.");
});
