/** One instruction of a Dockerfile. The tests parse the file because they have no container engine. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  readonly name: string;
  /** The image, or the name of an earlier stage. */
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

export interface Dockerfile {
  readonly args: Readonly<Record<string, string>>;
  readonly stages: readonly Stage[];
}

export function readDockerfile(text: string): Dockerfile {
  const joined = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, ' ');
  const lines = joined.split('\n').filter((line) => line.trim() !== '');
  const args: Record<string, string> = {};
  const stages: (Stage & { readonly instructions: Instruction[] })[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`not an instruction: ${line}`);
    if (name === 'FROM') {
      const [, image = '', stage = ''] = /^(\S+) AS ([a-z]+)$/.exec(rest) ?? [];
      if (image === '') throw new Error(`a stage without a name: ${line}`);
      const from = image.replaceAll(/\$\{(\w+)\}/g, (_, arg: string) => args[arg] ?? '');
      stages.push({ name: stage, from, instructions: [] });
    } else if (stages.length > 0) stages.at(-1)?.instructions.push({ name, text: rest });
    else if (name === 'ARG') args[rest.split('=')[0] ?? ''] = rest.split('=')[1] ?? '';
    else throw new Error(`before the first stage: ${line}`);
  }
  return { args, stages };
}

/** The instructions of a stage, after those of the stages it is based on. */
export function wholeStage({ stages }: Dockerfile, name: string): Instruction[] {
  const stage = stages.find((one) => one.name === name);
  return stage ? [...wholeStage({ args: {}, stages }, stage.from), ...stage.instructions] : [];
}

export function lastOf(instructions: readonly Instruction[], name: string): string | undefined {
  return instructions.findLast((instruction) => instruction.name === name)?.text;
}
