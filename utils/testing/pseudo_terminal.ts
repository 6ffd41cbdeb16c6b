/** For tests: a program in a terminal, and what a person would then see in it. */

import { spawn } from "node:child_process";
import { once } from "node:events";

/** Starts a program in a new terminal of 200 columns and copies what it prints. */
const IN_TERMINAL = `
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
try:
    while True:
        part = os.read(terminal, 65536)
        if not part:
            break
        os.write(1, part)
except OSError:
    pass
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
`;

/** @returns the bytes as they came, and the lines that stand on the screen */
export async function inTerminal(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ exitCode: number; raw: string; screen: string[] }> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(CI|NO_COLOR|FORCE_COLOR|VITEST)$/.test(name));
  const child = spawn("python3", ["-c", IN_TERMINAL, ...command], {
    cwd,
    env: { ...Object.fromEntries(inherited), TERM: "xterm-256color", HF_HUB_OFFLINE: "1", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let raw = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    raw += text;
  });
  const [exitCode] = await once(child, "close");
  return { exitCode, raw, screen: screenOf(raw) };
}

/** What a terminal makes of text: a return goes to the start of the line, what follows is written over it. */
export function screenOf(raw: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
  const text = raw.replace(/\x1b\[[\d;]*m/g, "");
  return text.split("\n").map((line) =>
    line.split("\r").reduce((shown, part) => {
      const erased = part.startsWith("\x1b[J");
      const written = erased ? part.slice(3) : part;
      return erased ? written : written + shown.slice(written.length);
    }, ""),
  );
}
