import type { Command, Option } from 'commander';

/** What a shell can offer after a command. */
interface CompletionContext {
  /** The command, such as `threadmill keys create`. */
  path: string;
  commands: readonly Command[];
  options: readonly Option[];
  /** Whether the command's argument is a file or a folder; null if neither. */
  argument: PathKind | null;
}

type PathKind = 'file' | 'folder';

/** Generates the completion script of a shell (bash, zsh or fish) from the commands and flags of the program. */
export function completionFor(shell: string, program: Command): string {
  const contexts = contextsOf(program, program.name());
  if (shell === 'fish') return fishScript(program.name(), contexts);
  // zsh runs bash completion scripts after bashcompinit (zshcompsys(1)).
  const preamble = 'autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n';
  return `${shell === 'zsh' ? preamble : ''}${bashScript(program.name(), contexts)}`;
}

function contextsOf(command: Command, path: string): CompletionContext[] {
  const help = command.createHelp();
  const context: CompletionContext = {
    path,
    commands: help.visibleCommands(command),
    options: help.visibleOptions(command),
    argument: command.registeredArguments.map((one) => pathKindOf(one.name())).find((kind) => kind !== null) ?? null,
  };
  return [context, ...command.commands.flatMap((one) => contextsOf(one, `${path} ${one.name()}`))];
}

/** The kind of path that a name of an argument or flag promises. */
function pathKindOf(text: string): PathKind | null {
  return (/\b(file|folder)\b/.exec(text)?.[1] as PathKind | undefined) ?? null;
}

const namesOf = ({ short, long }: Option): string[] => [short, long].filter((name) => name != null);

function bashScript(program: string, contexts: readonly CompletionContext[]): string {
  const subcommandPaths = contexts
    .slice(1)
    .map(({ path }) => `"${path}"`)
    .join('|');
  const valueCases = contexts.flatMap(({ path, options }) =>
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
  const wordCases = contexts.map(({ path, commands, options, argument }) => {
    const all = [...commands.map((one) => one.name()), ...options.flatMap(({ long }) => long ?? [])].join(' ');
    const files =
      argument === null ? '' : ` COMPREPLY+=( $(compgen ${argument === 'folder' ? '-d' : '-f'} -- "$cur") );`;
    return `    "${path}") COMPREPLY=( $(compgen -W "${all}" -- "$cur") );${files} ;;`;
  });
  return `_${program}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at=${program} i
  for (( i = 1; i < COMP_CWORD; i++ )); do
    case "$at \${COMP_WORDS[i]}" in
      ${subcommandPaths}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$at $prev" in
${valueCases.join('\n')}
  esac
  case "$at" in
${wordCases.join('\n')}
  esac
}
complete -o filenames -F _${program} ${program}
`;
}

const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

function fishScript(program: string, contexts: readonly CompletionContext[]): string {
  const lines = contexts.flatMap(({ path, commands, options, argument }) => {
    const [, ...above] = path.split(' ');
    const names = commands.map((one) => one.name());
    const here = [
      ...above.map((one) => `__fish_seen_subcommand_from ${one}`),
      ...(names.length === 0 ? [] : [`not __fish_seen_subcommand_from ${names.join(' ')}`]),
    ].join('; and ');
    const at = `complete -c ${program}${here === '' ? '' : ` -n ${quote(here)}`}`;
    return [
      ...commands.map((one) => `${at} -a ${one.name()} -d ${quote(one.description())}`),
      ...options.map((option) =>
        [
          at,
          option.long == null ? '' : `-l ${option.long.slice(2)}`,
          option.short == null ? '' : `-s ${option.short.slice(1)}`,
          option.required ? (pathKindOf(option.flags) === null ? '-x' : '-r -F') : '',
          `-d ${quote(option.description)}`,
        ]
          .filter((part) => part !== '')
          .join(' '),
      ),
      ...(argument === null ? [] : [`${at} -F`]),
    ];
  });
  return `complete -c ${program} -f\n${lines.join('\n')}\n`;
}
