import type { Command, Option } from 'commander';

/** What a shell offers where one command is being written. */
interface CompletionContext {
  /** `threadmill keys create`. */
  path: string;
  commands: readonly Command[];
  options: readonly Option[];
  /** What its arguments are, if they are files or folders. */
  argument: PathKind | null;
}

type PathKind = 'file' | 'folder';

/** A script for the shell, from the program's own commands and flags. */
export function completionFor(shell: string, program: Command): string {
  const places = contextsOf(program, program.name());
  if (shell === 'fish') return fish(program.name(), places);
  // zsh runs scripts of bash when it is told to (zshcompsys(1), bashcompinit).
  return `${shell === 'zsh' ? 'autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n' : ''}${bash(program.name(), places)}`;
}

function contextsOf(command: Command, path: string): CompletionContext[] {
  const help = command.createHelp();
  const place: CompletionContext = {
    path,
    commands: help.visibleCommands(command),
    options: help.visibleOptions(command),
    argument: command.registeredArguments.map((one) => pathKindOf(one.name())).find((kind) => kind !== null) ?? null,
  };
  return [place, ...command.commands.flatMap((one) => contextsOf(one, `${path} ${one.name()}`))];
}

function pathKindOf(text: string): PathKind | null {
  return (/\b(file|folder)\b/.exec(text)?.[1] as PathKind | undefined) ?? null;
}

const namesOf = ({ short, long }: Option): string[] => [short, long].filter((name) => name != null);

function bash(program: string, places: readonly CompletionContext[]): string {
  const deeper = places
    .slice(1)
    .map(({ path }) => `"${path}"`)
    .join('|');
  const values = places.flatMap(({ path, options }) =>
    options
      .filter(({ required }) => required)
      .map((option) => {
        const kind = pathKindOf(option.flags);
        const offer = kind === null ? '' : ` COMPREPLY=( $(compgen ${kind === 'folder' ? '-d' : '-f'} -- "$cur") );`;
        return `    ${namesOf(option)
          .map((name) => `"${path} ${name}"`)
          .join('|')})${offer} return ;;`;
      }),
  );
  const words = places.map(({ path, commands, options, argument }) => {
    const all = [...commands.map((one) => one.name()), ...options.flatMap(({ long }) => long ?? [])].join(' ');
    const files =
      argument === null ? '' : ` COMPREPLY+=( $(compgen ${argument === 'folder' ? '-d' : '-f'} -- "$cur") );`;
    return `    "${path}") COMPREPLY=( $(compgen -W "${all}" -- "$cur") );${files} ;;`;
  });
  return `_${program}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at=${program} i
  for (( i = 1; i < COMP_CWORD; i++ )); do
    case "$at \${COMP_WORDS[i]}" in
      ${deeper}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$at $prev" in
${values.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
}
complete -o filenames -F _${program} ${program}
`;
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

function fish(program: string, places: readonly CompletionContext[]): string {
  const lines = places.flatMap(({ path, commands, options, argument }) => {
    const [, ...above] = path.split(' ');
    const names = commands.map((one) => one.name());
    const here = [
      ...above.map((one) => `__fish_seen_subcommand_from ${one}`),
      ...(names.length === 0 ? [] : [`not __fish_seen_subcommand_from ${names.join(' ')}`]),
    ].join('; and ');
    const at = `complete -c ${program}${here === '' ? '' : ` -n ${quoted(here)}`}`;
    return [
      ...commands.map((one) => `${at} -a ${one.name()} -d ${quoted(one.description())}`),
      ...options.map((option) =>
        [
          at,
          option.long == null ? '' : `-l ${option.long.slice(2)}`,
          option.short == null ? '' : `-s ${option.short.slice(1)}`,
          option.required ? (pathKindOf(option.flags) === null ? '-x' : '-r -F') : '',
          `-d ${quoted(option.description)}`,
        ]
          .filter((part) => part !== '')
          .join(' '),
      ),
      ...(argument === null ? [] : [`${at} -F`]),
    ];
  });
  return `complete -c ${program} -f\n${lines.join('\n')}\n`;
}
