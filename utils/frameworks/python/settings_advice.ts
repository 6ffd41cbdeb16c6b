/** Advice if pytest does not start (exit codes 3 and 4), such as a plugin that the settings need and is missing. */

import { pluginOf } from "./plugins.ts";

const UNKNOWN = /Unknown config option: ([\w-]+)|unrecognized arguments: (\S+)/;
const UNLOADED = /Error importing plugin ["']([\w.-]+)["']|ImportError while loading .*plugin ["']?([\w.-]+)/;

/** The line that pytest ends with where it breaks down itself, without its mark; null where the text has none. */
export const internalError = (text: string): string | null =>
  text
    .split("\n")
    .findLast((line) => /^INTERNALERROR> \S/.test(line))
    ?.trim() ?? null;

/** As `breakdown.py` names the hook that an error comes from. */
const OF_PLUGIN = / \((\w+) of plugin ([\w.-]+): \S+\)$/m;
const OF_CONFTEST = / \(\w+ of ((?:\S*\/)?conftest\.py):\d+\)$/m;
const ENDED = /^(?:INTERNALERROR> |pytest was ended by |pytest ended with exit code \d+, which )/m;
const WARNING = /^INTERNALERROR> ([\w.]*Warning): /m;

/** The lines of a text that pytest breaks down with: what it raises, and from where. */
export const breakdownIn = (text: string): string =>
  text
    .split("\n")
    .filter((line) => line.startsWith("INTERNALERROR>"))
    .join("\n");

/** Null where the text says nothing of pytest's settings and plugins. */
export function settingsAdvice(text: string): string | null {
  const [, setting, option] = UNKNOWN.exec(text) ?? [];
  const unknown = setting ?? option;
  if (unknown !== undefined) {
    const name = pluginOf(unknown);
    const without =
      setting === undefined ? "-o addopts= in the command" : "-W ignore::pytest.PytestConfigWarning in the command";
    return (
      `Install the plugin that knows ${unknown}${name === undefined ? "" : ` (${name})`} in the Python ` +
      `that --python names, or do without it: ${without}.`
    );
  }
  const [, plugin, other] = UNLOADED.exec(text) ?? [];
  const broken = plugin ?? other;
  if (broken !== undefined)
    return (
      `Install ${lackingOf(text, broken)} in the Python that --python names, or do without it: ` +
      `-p no:${broken} in the command.`
    );
  return ENDED.test(text) ? breakdownAdvice(text) : null;
}

/** The module that is not there: that of the plugin, or one that the plugin imports. */
function lackingOf(text: string, plugin: string): string {
  const [, module = ""] = /No module named ['"]([\w.]+)['"]/.exec(text) ?? [];
  return module === "" || plugin.startsWith(module) ? plugin : module;
}

/** What to leave out where pytest broke down in the middle. */
function breakdownAdvice(text: string): string {
  const [, hook, plugin] = OF_PLUGIN.exec(text) ?? [];
  const [, conftest] = OF_CONFTEST.exec(text) ?? [];
  const [, warning] = WARNING.exec(text) ?? [];
  const quiet = `-W ignore::${warning ?? "WARNING"}`;
  const ways = [plugin === undefined ? "-p no:PLUGIN" : `-p no:${plugin}`, ...(warning || !plugin ? [quiet] : [])];
  if (conftest !== undefined)
    return (
      `Correct ${conftest}, which a patch may not change, or leave it out: ` +
      `--noconftest${warning ? `, ${quiet}` : ""} in the command.`
    );
  const what = plugin === undefined ? "what breaks" : `the plugin whose ${hook} breaks`;
  return `Name a Python with other packages by --python, or leave out ${what}: ${ways.join(", ")} in the command.`;
}
