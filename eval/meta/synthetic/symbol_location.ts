/** Benchmark `symbol_location`: say where in a repository a name is defined. */

import { z } from "zod";
import { readObject } from "../../../utils/base/data/lenient_json.ts";
import { partly } from "../../benchmark/benchmark.ts";
import type { ChildTask } from "../benchmarks/benchmark.ts";
import { type Repository, SOURCE } from "./repository.ts";

/** A definition; line and column count from 1 and point at the name. */
export interface SymbolPlace {
  path: string;
  line: number;
  column: number;
}

const DEFINITION = new RegExp(
  [
    /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:pub\s+)?/,
    /(?:def|class|function\*?|fn|func|interface|struct|enum)\s+/,
    /([A-Za-z_]\w{3,})/,
  ]
    .map(({ source }) => source)
    .join(""),
);

/** Names that are defined exactly once in the newest commit, spread over its files. */
export async function symbolLocationTasks(repository: Repository, count: number): Promise<ChildTask[]> {
  const commit = repository.head;
  const places = new Map<string, SymbolPlace[]>();
  const files = repository.files(commit).filter(({ path }) => SOURCE.test(path));
  const texts = repository.texts(files.map(({ hash }) => hash));
  for (const { path, hash } of files) {
    for (const [name, place] of definitions(path, texts.get(hash) ?? "")) {
      places.set(name, [...(places.get(name) ?? []), place]);
    }
  }
  const unique = [...places].flatMap(([name, found]) =>
    found.length === 1 && found[0] ? [{ name, place: found[0] }] : [],
  );
  return spread(unique, count).map(({ name, place }) => ({
    id: `symbol_location/${name}`,
    kind: "symbol_location",
    verdict: "apart",
    reference: () => null,
    assignment: {
      type: "work",
      prepare: async (folder) => {
        await repository.write(commit, folder, [place.path]);
        return (
          `Where is ${name} defined? Answer with one JSON object: {"path": "folder/file", "line": 1, "column": ` +
          "1}. Line and column count from 1 and point at the first letter of the name."
        );
      },
    },
    score: async ({ answer }) => partly(locationScore(place, answer)),
  }));
}

function definitions(path: string, text: string): [string, SymbolPlace][] {
  return text.split("\n").flatMap((line, i): [string, SymbolPlace][] => {
    const match = DEFINITION.exec(line);
    const name = match?.[1];
    return match && name ? [[name, { path, line: i + 1, column: match[0].length - name.length + 1 }]] : [];
  });
}

/** Every so-manieth item, so that they come from all over the list. */
const spread = <T>(items: readonly T[], count: number): T[] =>
  items.length <= count
    ? [...items]
    : Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]).filter(
        (item) => item !== undefined,
      );

const Answer = z.object({ path: z.string(), line: z.number(), column: z.number() });

/** 0.4 for the path, 0.4 for the line in it, 0.2 for the column in that. */
export function locationScore(place: SymbolPlace, answer: string | null): number {
  const got = Answer.safeParse(readObject(answer ?? "")).data;
  if (!got || got.path.replace(/^\.?\//, "") !== place.path) return 0;
  if (got.line !== place.line) return 0.4;
  return got.column === place.column ? 1 : 0.8;
}
