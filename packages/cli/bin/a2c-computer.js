#!/usr/bin/env node
import { main } from '../dist/main.js';

const words = process.argv.slice(2);
process.exitCode = await main(words[0] === '--version' || words[0] === '-V' ? words : ['computer', ...words]);
