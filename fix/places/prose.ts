/** The part of an issue that speaks of the program. */

/** A link, unless it leads to a source file: paths of the project may stand in it. */
const LINK = /https?:\/\/[^\s)>\]]*[^\s)>\].,;:]/g;
const SOURCE_PATH = /\/(?:blob|tree)\/[^/\s]+\/([^\s#?]+\.\w+)/;
const MAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const COMMENT = /<!--[\s\S]*?-->/g;
/** Who had a part in a commit, and whose branch it merges. */
const PEOPLE = /^\s*(?:[\w]+-)+by:.*$|^Merge pull request #\d+ from [^\s/]+\//gim;

/** A heading of Markdown, or a line in bold that stands alone. */
const HEADING = /^\s*(?:#{1,6}\s+(.+?)|\*\*(.+?):?\*\*:?)\s*#*$/;
/** Headings of issue forms under which a machine is described, not a bug. */
const OF_MACHINE =
  /environment|\bversions?\b|^os\b|operating system|platform|system info|your project|screenshot|extra tools/i;
/** The same in one line: `- Python version: 3.9`. */
const MACHINE_LINE = /^[\s*-]*(?:os|platform|operating system|[\w.]+ version|version)\**\s*:.*$/gim;

/** Without links, mail addresses, people, and sections that describe the reporter's machine. */
export function proseOf(issue: string): string {
  const plain = issue
    .replace(COMMENT, " ")
    .replace(LINK, (link) => ` ${SOURCE_PATH.exec(link)?.[1] ?? ""} `)
    .replace(MAIL, " ")
    .replace(PEOPLE, "")
    .replace(MACHINE_LINE, "");
  let isOfMachine = false;
  return plain
    .split("\n")
    .filter((line) => {
      const [, heading, bold = heading] = HEADING.exec(line) ?? [];
      if (bold !== undefined) isOfMachine = OF_MACHINE.test(bold);
      return !isOfMachine;
    })
    .join("\n");
}
