/** Reads a Dockerfile: its instructions, and the base images of its stages. */

export interface Instruction {
  /** In capitals: FROM, RUN … */
  name: string;
  /** The rest of the instruction on one line. */
  text: string;
}

/** Parses the instructions. Comments and the ends of continued lines are dropped. */
export function parseDockerfile(source: string): Instruction[] {
  const lines = source.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  return lines
    .join('\n')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => {
      const [, name = '', text = ''] = /^\s*(\w+)\s+(.*)$/.exec(line) ?? [];
      if (name === '') throw new Error(`the Dockerfile has a line that is no instruction: ${line}`);
      return { name: name.toUpperCase(), text: text.trim() };
    });
}

/** An image that a stage begins with: `node:26.10.0-trixie-slim`. */
export interface BaseImage {
  reference: string;
  repository: string;
  tag: string;
  /** The release of Debian, which is part of the tag. */
  suite: string;
}

/** Lists the base images. Stages of the file are none. Throws if a tag names no release of Debian. */
export function listBaseImages(instructions: readonly Instruction[]): BaseImage[] {
  const stages = new Set<string>();
  const images: BaseImage[] = [];
  for (const { name, text } of instructions) {
    if (name !== 'FROM') continue;
    const [, reference = '', stage] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(text) ?? [];
    if (!stages.has(reference)) images.push(parseReference(reference));
    if (stage !== undefined) stages.add(stage);
  }
  return images;
}

function parseReference(reference: string): BaseImage {
  const [repository = '', tag = ''] = reference.split(':');
  const suite = /(?:^|-)([a-z]+)-slim$/.exec(tag)?.[1];
  if (suite === undefined) throw new Error(`${reference}: the tag must name a release of Debian`);
  return { reference, repository, tag, suite };
}
