import { hash } from 'node:crypto';

/** A Lua script that the server keeps by its hash. It touches one key, or several of one hash tag. */
export interface Script {
  text: string;
  sha: string;
}

export function createScript(text: string): Script {
  return { text, sha: hash('sha1', text) };
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
