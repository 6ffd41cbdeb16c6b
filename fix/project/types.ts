/** Whether a patch keeps the types of a project that has a `tsconfig.json`. */

import { join } from "node:path";
import { appendTo } from "../../utils/data/extremes.ts";
import { newTypeErrors, typeCheck } from "../../utils/project/type_check.ts";
import type { FileChange } from "./patch.ts";
import { patched } from "./patch.ts";
import type { Suite } from "./suite.ts";

/** Processor time of one check. */
const SECONDS = 300;

export class TypeCheck {
  readonly #suite: Suite;
  readonly #base: string;
  /** What is said of the tree as it was, by the command. */
  readonly #before = new Map<string, Promise<string>>();

  /** @param base the tree as it was */
  constructor(suite: Suite, base: string) {
    this.#suite = suite;
    this.#base = base;
  }

  /** Errors that changes bring, as the project's compiler says them; none where nothing checks types. */
  async errorsOf(changes: readonly FileChange[], signal?: AbortSignal): Promise<string[]> {
    return (await this.check(changes, signal)).errors;
  }

  /**
   * The same with the processor time that it took.
   * @param tree the tree that the changes are made in. Default: as it was
   */
  async check(
    changes: readonly FileChange[],
    signal?: AbortSignal,
    tree = this.#base,
  ): Promise<{ errors: string[]; cpuSeconds: number }> {
    const { project } = this.#suite;
    const commands = new Map(
      changes.flatMap(({ file }) => {
        const command = typeCheck(project, join(project.root, file));
        return command ? [[command.argv.join(" "), command] as const] : [];
      }),
    );
    if (commands.size === 0) return { errors: [], cpuSeconds: 0 };
    let cpuSeconds = 0;
    using changed = patched(tree, changes);
    const errors: string[] = [];
    for (const [key, command] of commands) {
      const run = async (folder: string) => {
        const ran = await this.#suite.runCommand({
          tree: folder,
          command: async () => command,
          seconds: SECONDS,
          signal,
        });
        cpuSeconds += ran.cpuSeconds;
        return ran.stdout;
      };
      const before = this.#before.get(key) ?? run(this.#base);
      this.#before.set(key, before);
      appendTo(errors, newTypeErrors(await before, await run(changed.path)));
    }
    return { errors, cpuSeconds };
  }
}
