import { LRUCache } from 'lru-cache';
import { createRandomText } from '../random-text.ts';

const LIFETIME_MS = 10_000;
const MAX_TICKETS = 10_000;
const PREFIX = 'ua_ticket_';
const SHAPE = /^ua_ticket_[0-9A-Za-z]{40}$/;

/** Creates a store of one-time tickets, each for a value and 10 s. */
export function createTickets<T extends object>(now: () => number) {
  const tickets = new LRUCache<string, { value: T; expiresAtMs: number }>({ max: MAX_TICKETS });
  return {
    issue(value: T): string {
      const ticket = PREFIX + createRandomText(40);
      tickets.set(ticket, { value, expiresAtMs: now() + LIFETIME_MS });
      return ticket;
    },
    /** Returns the ticket's value one time; null if it was redeemed, has expired or is no ticket. */
    redeem(ticket: string): T | null {
      if (!SHAPE.test(ticket)) return null;
      const issued = tickets.get(ticket);
      tickets.delete(ticket);
      return issued && now() < issued.expiresAtMs ? issued.value : null;
    },
  };
}
