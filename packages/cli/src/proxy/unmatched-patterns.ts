import { nearest } from '@a2c/config';
import { type Toolbox, unmatchedPatterns } from '@a2c/proxy';
import { printError } from '../output.js';
import type { PatternSource } from './tool-choice.js';

/** Reads the skills for the comparison. They can be on other Computers. */
const SKILLS_TIMEOUT_MS = 10_000;

/**
 * Prints each pattern that names no server, tool or skill, once no server is starting any more: a misspelt
 * `--deny-tool` would deny nothing. Returns a function that ends the wait.
 */
export function warnOfUnmatchedPatterns(toolbox: Toolbox, choices: readonly PatternSource[]): () => void {
  if (choices.every(({ patterns }) => patterns.length === 0)) return () => {};
  const check = () => {
    const servers = toolbox.servers();
    if (servers.some(({ state }) => state === 'starting')) return;
    end();
    const signal = AbortSignal.timeout(SKILLS_TIMEOUT_MS);
    const listed = toolbox.skills?.list({ signal }).then(({ skills }) => skills.map(({ name }) => name));
    void Promise.resolve(listed ?? []).then(
      (skills) => print(skills),
      // Without the list, a pattern could be the name of a skill.
      () => undefined,
    );
  };
  const print = (skills: readonly string[]) => {
    const servers = toolbox.servers();
    const names = servers.flatMap(({ name, tools }) => [name, ...tools.map((tool) => `${name}/${tool.name}`)]);
    for (const { origin, patterns } of choices) {
      for (const pattern of unmatchedPatterns(patterns, servers, skills)) {
        const near = nearest(pattern, names);
        const hint = near === undefined ? 'a pattern is server or server/tool, with *' : `did you mean "${near}"?`;
        printError(`warning: ${origin}: "${pattern}" matches no tool; ${hint}`);
      }
    }
  };
  const end = toolbox.on('serversChanged', check);
  check();
  return end;
}
