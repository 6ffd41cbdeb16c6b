/** What the programs share that `bench_turn` measures: the task, the tool, and the measurement. */

/** The one tool. */
export const TOOL = {
  name: "run_code",
  description: "Runs a program.",
  output: Array.from({ length: 5 }, (_, i) => `case ${i}: expected ${i * 3}, got ${i * 3 - 1}`).join("\n"),
};

export const SYSTEM = "You repair programs. Call the tool until you know what is wrong, then say it.";

/** The stub server reads `TURNS` and calls the tool until that many replies are given. */
export const promptOf = (turns: number): string =>
  `TURNS=${turns}\nRepair this function:\n${"    total = total + values[i] * weight\n".repeat(20)}`;

/** Returns the number of model calls and the text of the last one. */
type Converse = (turns: number) => Promise<{ turns: number; text: string }>;

/**
 * Has `conversations` of 2 and of `turns` turns, and prints the CPU milliseconds of one turn: the slope between them.
 * Arguments of the process: the server's address, `turns`, `conversations`.
 * @throws Error if a conversation does not come to its end
 */
export async function measure(start: (url: string) => Promise<Converse>): Promise<void> {
  const [url = "", ...numbers] = process.argv.slice(2);
  const [turns = 0, conversations = 0] = numbers.map(Number);
  const converse = await start(url);
  const cpuMsOf = async (length: number) => {
    const before = process.cpuUsage();
    for (let left = conversations; left > 0; left -= 1) {
      const ended = await converse(length);
      if (ended.turns !== length || !ended.text.includes("Final Answer"))
        throw new Error(`wanted ${length} turns: ${JSON.stringify(ended)}`);
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  // The first conversations also pay for compilation.
  await cpuMsOf(turns);
  const short = await cpuMsOf(2);
  console.log(((await cpuMsOf(turns)) - short) / (conversations * (turns - 2)));
  // Open connections would keep the process alive.
  process.exit(0);
}
