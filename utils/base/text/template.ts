/** Strict text templates: `{{name}}` is replaced once; a missing or an unused variable is a bug and throws. */

import { readFileSync } from "node:fs";

const PLACEHOLDER = /\{\{([a-z][a-zA-Z0-9]*)\}\}/g;

/**
 * Fills a template. Values are inserted as they are and never expanded again, so code may contain `{{`.
 * @throws Error naming the template and the variable that is missing from, or unused by, `variables`.
 */
export function render(template: string, variables: Record<string, string>, name = "template"): string {
  const used = new Set<string>();
  const text = template.replace(PLACEHOLDER, (_, key: string) => {
    const value = Object.hasOwn(variables, key) ? variables[key] : undefined;
    if (value === undefined) throw new Error(`${name}: no value for {{${key}}}`);
    used.add(key);
    return value;
  });
  const unused = Object.keys(variables).filter((key) => !used.has(key));
  if (unused.length > 0) throw new Error(`${name}: the template does not use ${unused.join(", ")}`);
  return text;
}

/**
 * Reads a template file once and returns its filler. The file's last newline is not part of the text.
 * @param file URL of a `.md` file under `prompts/`
 * @param section of a file with several texts: what stands below `# SECTION`, without the newlines at its end
 * @throws Error where the file has no such section
 */
export function loadTemplate(file: URL, section?: string): (variables: Record<string, string>) => string {
  const whole = readFileSync(file, "utf8").replace(/\r\n/g, "\n").replace(/\n$/, "");
  const name = file.pathname.split("/").at(-1) ?? file.pathname;
  const text = section === undefined ? whole : sectionOf(whole, section);
  if (text === undefined) throw new Error(`${name} has no section ${section}`);
  return (variables) => render(text, variables, section === undefined ? name : `${name}, ${section}`);
}

function sectionOf(text: string, section: string): string | undefined {
  const found = text.split(/^# /m).find((part) => part.startsWith(`${section}\n`));
  return found?.slice(section.length + 1).replace(/\n+$/, "");
}
