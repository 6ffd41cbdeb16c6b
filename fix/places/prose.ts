/** The part of an issue that speaks of the program. */

/** Of an issue so much is read. No expression below takes longer than in proportion to its length. */
const MOST_CHARS = 50_000;

/** A link, unless it leads to a source file: paths of the project may stand in it. */
const LINK = /https?:\/\/[^\s)>\]]*[^\s)>\].,;:]/g;
const SOURCE_PATH = /\/(?:blob|tree)\/[^/\s]+\/([^\s#?]+\.\w+)/;
const MAIL = /[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]+)+/g;
const COMMENT = /<!--[\s\S]{0,2000}?-->/g;
/** Who had a part in a commit, and whose branch it merges. */
const PEOPLE = /^[ \t]*(?:\w{1,20}-){1,4}by:.*$|^Merge pull request #\d+ from [^\s/]+\//gim;

/** A heading of Markdown, or a line in bold that stands alone. */
const HEADING = /^(?:#{1,6}\s+(.+)|\*\*([^*]+)\*\*:?)$/;
/** Headings of issue forms under which a machine is described, not a bug. */
const OF_MACHINE =
  /environment|\bversions?\b|^os\b|operating system|platform|system info|your project|screenshot|extra tools/i;
/** The same in one line: `- Python version: 3.9`. */
const MACHINE_LINE = /^[ \t*-]{0,9}(?:os|platform|operating system|[\w.]{1,40} version|version)\**[ \t]{0,9}:.*$/gim;

/** Without links, mail addresses, people, and sections that describe the reporter's machine. */
export function proseOf(issue: string): string {
  const plain = issue
    .slice(0, MOST_CHARS)
    .replace(COMMENT, " ")
    .replace(LINK, (link) => ` ${SOURCE_PATH.exec(link)?.[1] ?? ""} `)
    .replace(MAIL, " ")
    .replace(PEOPLE, "")
    .replace(MACHINE_LINE, "");
  let isOfMachine = false;
  return plain
    .split("\n")
    .filter((line) => {
      const [, heading, bold = heading] = HEADING.exec(line.trim()) ?? [];
      if (bold !== undefined) isOfMachine = OF_MACHINE.test(bold);
      return !isOfMachine;
    })
    .join("\n");
}
