import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "./registry.ts";

describe.each(Object.entries(LANGUAGES))("%s", (name, language) => {
  test("is listed under its name", () => {
    expect(language.name).toBe(name);
    expect(
      Object.values(LANGUAGES).filter(({ extensions }) => extensions.includes(language.extensions[0])),
    ).toHaveLength(1);
    expect(Object.values(LANGUAGES).filter(({ config }) => config === language.config)).toHaveLength(1);
  });

  test("reads a fence with its own tag", () => {
    expect(language.mayBe(language.fence)).toBe(true);
  });

  test("finds nothing in an empty source, and does not take prose for code", () => {
    expect(language.partsAround("", "f")).toBeNull();
    expect(language.bareCode("I think the loop is wrong.")).toBeNull();
    expect(language.looksLikeCode("I think the loop is wrong.")).toBe(false);
  });

  test.skipIf(!language.runtime?.version || language.runtime.compiled)(
    "its processes start with an interpreter that is there, and carry their programs",
    () => {
      const commands = language.runtime?.commands(512, "");
      expect(existsSync(commands?.executable ?? "")).toBe(true);
      for (const command of [commands?.candidate, commands?.judge]) {
        expect(command?.[0]).toBe(commands?.executable);
        expect(command?.join("\n").length).toBeGreaterThan(1000);
      }
    },
  );
});
