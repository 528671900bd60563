#!/usr/bin/env node
import { run } from '../dist/run.js';

process.exitCode = await run(['computer', ...process.argv.slice(2)]);
