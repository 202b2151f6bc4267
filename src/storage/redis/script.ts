import { hash } from 'node:crypto';

/** A Lua script that the server keeps by its hash. It touches one key, or several of one hash tag. */
export interface Script {
  text: string;
  sha: string;
  /** The number of integers in its reply. */
  integers: number;
}

export function createScript(text: string, integers: number): Script {
  return { text, sha: hash('sha1', text), integers };
}

/**
 * Returns the integers of a script's reply. Throws if the reply belongs to something else, as after an error
 * of a proxy: a limit that is computed from it would admit everything.
 */
export function parseReply({ integers }: Script, reply: unknown): number[] {
  const numbers: unknown[] = Array.isArray(reply) ? reply : [reply];
  if (numbers.length !== integers || !numbers.every((number) => Number.isSafeInteger(number)))
    throw new Error('Redis sent a reply that does not belong to the call');
  return numbers as number[];
}

/**
 * Sets `time` to the server's clock in milliseconds, or to the first argument if it is not empty: tests move
 * the clock.
 */
export const LUA_TIME = `
local time = tonumber(ARGV[1])
if not time then
  local now = redis.call('TIME')
  time = now[1] * 1000 + math.floor(now[2] / 1000)
end
`;
