/** What an answer may change of a Rust exercise's manifest: the crates that it depends on, and nothing else. */

const MANIFEST = "Cargo.toml";
/** A crate by its version; a table, with features say, in one line. None from a folder or from git. */
const CRATE = /^([\w-]+)\s*=\s*(?:"[^"\n]*"|\{(?![^}\n]*\b(?:path|git|registry)\b)[^}\n]*\})\s*$/;
const SECTION = /^\[dependencies\][^\n]*\n((?:(?!\[)[^\n]*\n?)*)/m;

export const isManifest = (file: string): boolean => file === MANIFEST;

/** The manifest of an exercise with the crates of another, in the versions that the system has. */
export function withCrates(manifest: string, other: string): string {
  const lines = (text: string) => (SECTION.exec(text)?.[1] ?? "").split("\n").filter((line) => CRATE.test(line));
  const own = new Map([...lines(manifest), ...lines(other)].map((line) => [CRATE.exec(line)?.[1], anyVersion(line)]));
  const rest = manifest.replace(SECTION, "").trimEnd();
  return own.size === 0 ? manifest : `${rest}\n\n[dependencies]\n${[...own.values()].join("\n")}\n`;
}

const anyVersion = (line: string): string =>
  line.replace(/^([\w-]+\s*=\s*)"[^"]*"/, '$1"*"').replace(/(\bversion\s*=\s*)"[^"]*"/, '$1"*"');
