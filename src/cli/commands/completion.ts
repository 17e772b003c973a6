import { Argument } from 'commander';
import { command, GROUPS } from './command.js';

export const completion = command('completion', 'print a shell script that completes commands and flags')
  .helpGroup(GROUPS.help)
  .addArgument(new Argument('<shell>', 'name of the shell').choices(['bash', 'zsh', 'fish']))
  .addHelpText(
    'after',
    `
The script contains the commands and flags of this version. Generate it again after an update.

Examples:
  threadmill completion bash > ~/.local/share/bash-completion/completions/threadmill
  threadmill completion zsh >> ~/.zshrc
  threadmill completion fish > ~/.config/fish/completions/threadmill.fish

Exit code: 0 printed, 1 no such shell.`,
  )
  .action(async (shell: string) => {
    const { completionFor } = await import('../completion.js');
    process.stdout.write(completionFor(shell, completion.parent!));
  });
