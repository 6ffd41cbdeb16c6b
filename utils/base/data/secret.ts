/** Keys and tokens of servers, which the environment holds. */

import { UserError } from "./errors.ts";

/**
 * The key in a variable, without the space around it; undefined where it is empty or not set.
 * @throws UserError where it could not stand in a header: servers give out none with such characters
 */
export function secretFrom(env: Record<string, string | undefined>, variable: string): string | undefined {
  const key = env[variable]?.trim() || undefined;
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key;
  throw new UserError(
    `${variable} holds a character that no key has and that cannot be sent, such as a space or \`…\`: ` +
      "set it to the whole key.",
  );
}
