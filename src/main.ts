#!/usr/bin/env node
import { bundledProgramModule } from './base/program-files.js';
import type * as Program from './cli/program.js';

const bundled = bundledProgramModule('cli/program.js');
const { program } = bundled === null ? await import('./cli/program.js') : ((await import(bundled)) as typeof Program);
await program.parseAsync(process.argv);
