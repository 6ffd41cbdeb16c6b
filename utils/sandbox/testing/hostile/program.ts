/**
 * Programs that try to pass a test without solving it, to see what they must not, or to harm the machine.
 *
 * The test they face expects a random secret from `f(1)`, so only a forged verdict or a stolen secret can pass. The
 * secret lies in the test, in the environment of the process that runs the sandbox, in a file that everybody may read
 * (`@FILE@`), and behind a TCP port of this machine (`@PORT@`). `@PARENT@` is the pid of the process with the secret,
 * `@VERDICT@` a file that is there as soon as the program's verdict is, and `@MARK@` a number of the program's own, by
 * which its processes are found when they show it in their command lines.
 */

/** What the plain layer cannot stop: ever, or unless jobs run under users of their own. */
export interface PlainLimit {
  unless: "never" | "separate users";
  why: string;
}

export interface HostileProgram {
  name: string;
  program: string;
  /** Default: Python. */
  language?: "javascript" | "java" | "cpp" | "go" | "rust";
  /** In place of the test that expects the secret, which stands where `@SECRET@` does: tests can be hostile, too. */
  test?: string;
  plainCannotStop?: PlainLimit;
  /** Given where the attempt needs longer than a moment. */
  timeoutMs?: number;
}

/** Never stopped by the plain layer. */
export const always = (why: string): PlainLimit => ({ unless: "never", why });
/** Stopped by the plain layer only where jobs run as users of their own. */
export const sameUser = (why: string): PlainLimit => ({ unless: "separate users", why });
