/** What is the same for all programs that `bench_turn` measures: what they are asked for, and what they print. */

export type Format = "native" | "text";

/** The one tool, in the words that each library wants it. */
export const TOOL = {
  name: "run_code",
  description: 'run_code: runs a program. Input: {"code": "the program"}',
  output: Array.from({ length: 5 }, (_, i) => `case ${i}: expected ${i * 3}, got ${i * 3 - 1}`).join("\n"),
};

export const SYSTEM = "You repair programs. Call the tool until you know what is wrong, then say it.";
export const PROMPT = (turns: number, format: Format): string =>
  `TURNS=${turns} ${format}\nRepair this function:\n${"    total = total + values[i] * weight\n".repeat(20)}`;

/** One of the programs that are measured. @returns a function that has one conversation of so many turns */
export type Start = (server: {
  url: string;
  format: Format;
  isStreamed: boolean;
}) => Promise<(turns: number) => Promise<{ turns: number; isDone: boolean }>>;

/** What a program is asked by its arguments, as JSON, and the answer that it prints. */
export interface Job {
  url: string;
  format: Format;
  isStreamed: boolean;
  /** Conversations of so many turns, one group after the other. */
  groups: { turns: number; conversations: number; atOnce: number }[];
}
export interface Measured {
  /** CPU milliseconds of each group. */
  cpuMs: number[];
  /** Most memory that the process held, in MB. */
  mostMb: number;
}

/** Runs the job of the command line. @throws Error where a conversation does not come to its end */
export async function measure(start: Start): Promise<void> {
  const job: Job = JSON.parse(process.argv[2] ?? "{}");
  const { groups, ...server } = job;
  const converse = await start(server);
  const cpuMs: number[] = [];
  for (const { turns, conversations, atOnce } of groups) {
    const before = process.cpuUsage();
    let left = conversations;
    const workers = Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const ended = await converse(turns);
        if (!ended.isDone || ended.turns !== turns) throw new Error(`wanted ${turns} turns: ${JSON.stringify(ended)}`);
      }
    });
    await Promise.all(workers);
    const { user, system } = process.cpuUsage(before);
    cpuMs.push((user + system) / 1000);
  }
  const mostMb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ cpuMs, mostMb } satisfies Measured));
  // Connections that are kept would hold the process.
  process.exit(0);
}
