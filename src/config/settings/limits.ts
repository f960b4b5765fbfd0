/** What one caller, one call and the whole server may use up. */

import { bytes, count, seconds, toggle } from '../kinds.ts'
import { connection } from '../network-kinds.ts'
import { section, setting } from '../setting.ts'

export const limits = section('Limits', {
  RATE_LIMIT_ENABLED: setting(toggle(), {
    default: true,
    says: 'Whether the ceilings per caller and minute are enforced.',
    risk: 'One caller can keep the server, and everything behind it, busy without end.',
  }),
  LISTING_PER_MINUTE: setting(count(1_000_000), {
    default: 240,
    says: 'Most listings of tools, resources and prompts per caller and minute, all kinds together; the next is refused.',
  }),
  UNKNOWN_PER_MINUTE: setting(count(1_000_000), {
    default: 30,
    says: 'Most requests per caller and minute for names that the caller cannot see, whatever the reason; the next is refused.',
  }),
  REDIS_URL: setting(connection('redis://cache.example.com:6379/0'), {
    secret: true,
    says: 'Redis that shares ceilings, budgets, concurrency, tickets and messages between replicas, which need the same state key; unset, every process counts for itself.',
  }),
  CALL_TIMEOUT_SECONDS: setting(seconds(86_400), {
    default: 120,
    says: 'Longest time one call may take, without the time a person needs to answer a question.',
  }),
  ASK_TIMEOUT_SECONDS: setting(seconds(86_400), {
    default: 300,
    says: 'Longest time a person may take to answer a question of a call; after that the question is closed.',
  }),
  MAX_CONCURRENT_CALLS: setting(count(100_000), {
    default: 64,
    says: 'Calls that run at once in this process; further ones are refused.',
  }),
  MAX_CONCURRENT_CALLS_PER_CALLER: setting(count(100_000), {
    default: 16,
    says: 'Calls of one caller that run at once in this process, or in all that share a Redis; further ones are refused.',
  }),
  BUDGET_CALLS_PER_DAY: setting(count(1_000_000_000, 0), {
    default: 0,
    says: 'Calls one caller may make per day, all components together, refilled evenly over the day; 0 sets no budget.',
  }),
  OUTPUT_MAX_BYTES: setting(bytes(1_000_000_000, 1024), {
    default: 2_000_000,
    says: 'Most bytes of one answer, text and structured content together; more is cut and marked.',
  }),
})

export const cacheHints = section('Cache hints', {
  TOOL_LIST_TTL_MS: setting(count(31_536_000_000, 0), {
    default: 3_600_000,
    says: 'Milliseconds for which clients may keep a listing; 0 asks them not to.',
  }),
  RESOURCE_READ_TTL_MS: setting(count(31_536_000_000, 0), {
    default: 60_000,
    says: 'Milliseconds for which clients may keep a resource they read; 0 asks them not to.',
  }),
})
