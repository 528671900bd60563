import { type Agent, SMCPError } from '@a2c/agent';
import type { ToolboxCallOptions, ToolboxSkillFile, ToolboxSkillList, ToolboxSkills } from '../toolbox.js';
import { computerReference } from './office-servers.js';

/** One Computer that does not answer delays the list no longer than this. */
const LIST_MS = 10_000;

/** The skills of all Computers in an office, each as `computer/skill`. Asked for when they are read. */
export class OfficeSkills implements ToolboxSkills {
  readonly areOffered = true;
  readonly #seated: (signal: AbortSignal | undefined) => Promise<Agent>;

  /** @param seated Returns the Agent once it has joined. */
  constructor(seated: (signal: AbortSignal | undefined) => Promise<Agent>) {
    this.#seated = seated;
  }

  async list({ signal }: ToolboxCallOptions): Promise<ToolboxSkillList> {
    const agent = await this.#seated(signal);
    const lists = await Promise.all(
      [...agent.computers.keys()].toSorted().map(async (computer): Promise<ToolboxSkillList> => {
        const owner = computerReference(computer);
        const limit = AbortSignal.timeout(LIST_MS);
        try {
          const skills = await agent.skills(computer, { signal: signal ? AbortSignal.any([signal, limit]) : limit });
          return {
            skills: skills.map(({ name, description }) => ({ name: `${owner}/${name}`, description })),
            problems: [],
          };
        } catch (error) {
          if (signal?.aborted) throw error;
          const cause = limit.aborted ? 'it did not answer in time' : SMCPError.from(error).message;
          return { skills: [], problems: [`${owner}: its skills are not known: ${cause}`] };
        }
      }),
    );
    return { skills: lists.flatMap(({ skills }) => skills), problems: lists.flatMap(({ problems }) => problems) };
  }

  async read(reference: string, { signal }: ToolboxCallOptions): Promise<ToolboxSkillFile> {
    const agent = await this.#seated(signal);
    const [owner, name, ...path] = reference.split('/');
    const computer = [...agent.computers.keys()].find((other) => computerReference(other) === owner);
    if (computer === undefined || name === undefined)
      throw new Error(`there is no skill "${reference}"; list "skills" shows them as computer/skill`);
    return agent.skill(computer, name, path.length > 0 ? path.join('/') : undefined, { signal });
  }

  /** Skills are always offered. */
  onChange(): () => void {
    return () => {};
  }
}
