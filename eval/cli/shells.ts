/** Completion scripts, one row a shell. They hold all commands and options, so that completing starts no program. */

interface CommandWords {
  /** One word or two, such as `models prepare`. */
  name: string;
  summary: string;
  options: { name: string; value: string | undefined; help: string }[];
}

export const SHELLS: Record<string, (commands: readonly CommandWords[]) => string> = { bash, zsh, fish };

const firstWords = (commands: readonly CommandWords[]): string[] => [
  ...new Set(commands.map(({ name }) => name.split(" ")[0] ?? name)),
];
const flags = ({ options }: CommandWords): string => options.map(({ name }) => `--${name}`).join(" ");
/** Second words of a group of commands. */
const membersOf = (group: string, commands: readonly CommandWords[]): CommandWords[] =>
  commands.filter(({ name }) => name.startsWith(`${group} `));

function bash(commands: readonly CommandWords[]): string {
  const cases = firstWords(commands).map((word) => {
    const members = membersOf(word, commands);
    const own = commands.find(({ name }) => name === word);
    const words = [
      ...members.map(({ name }) => name.slice(word.length + 1)),
      ...[...members, ...(own ? [own] : [])].map(flags),
    ];
    return `    ${word}) words="${words.join(" ")}" ;;`;
  });
  return `_mend() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${firstWords(commands).join(" ")} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _mend mend`;
}

/** For text between single quotes, as zsh and fish read it. */
const quoted = (text: string, special: RegExp): string =>
  text.replaceAll("\n", " ").replace(special, "\\$&").replaceAll("'", "'\\''");

function zsh(commands: readonly CommandWords[]): string {
  const cases = commands.map((command) => {
    const specs = command.options.map(({ name, value, help }) => {
      const argument = value === undefined ? "" : `:${quoted(value, /[:[\]\\]/g)}:_files`;
      return `'--${name}[${quoted(help, /[:[\]\\]/g)}]${argument}'`;
    });
    return `    '${command.name}') _arguments ${specs.join(" ")} '*:file:_files' ;;`;
  });
  const names = commands.map(({ name, summary }) => {
    const [first = name, second] = name.split(" ");
    return second === undefined ? `'${first}:${quoted(summary, /[:\\]/g)}'` : `'${first}:${second}'`;
  });
  const groups = firstWords(commands).filter((word) => membersOf(word, commands).length > 0);
  const members = groups.map((group) => {
    const words = membersOf(group, commands).map(({ name }) => name.slice(group.length + 1));
    return `  if [[ $words[2] == ${group} ]]; then
    if (( CURRENT == 3 )); then compadd ${words.join(" ")}; return; fi
    name="$words[2] $words[3]"
  fi
`;
  });
  return `#compdef mend
_mend() {
  local -a commands=(${names.join(" ")})
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local name=$words[2]
${members.join("")}  case "$name" in
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = "_mend" ]; then _mend "$@"; else compdef _mend mend; fi`;
}

function fish(commands: readonly CommandWords[]): string {
  const text = (words: string) => `'${words.replaceAll("\n", " ").replace(/[\\']/g, "\\$&")}'`;
  const lines = commands.flatMap(({ name, summary, options }) => {
    const [first = name, second] = name.split(" ");
    const offer =
      `complete -c mend -n __fish_use_subcommand -a ${first} -d ` +
      `${text(second === undefined ? summary : `${second}, …`)}`;
    const member =
      second === undefined
        ? []
        : [`complete -c mend -n '__fish_seen_subcommand_from ${first}' -a ${second} -d ${text(summary)}`];
    const own = options.map(
      (option) =>
        `complete -c mend -n '__fish_seen_subcommand_from ${first}' -l ` +
        `${option.name}${option.value === undefined ? "" : " -r"} -d ${text(option.help)}`,
    );
    return [offer, ...member, ...own];
  });
  return lines.join("\n");
}
