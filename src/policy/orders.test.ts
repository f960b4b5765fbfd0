import { expect, it } from 'vitest'
import { NO_ORDERS, costOf, parseOrders } from './orders.ts'

it('says what holds where nothing was decided', () => {
  expect(parseOrders({ permissions: [] })).toEqual({ ok: true, orders: NO_ORDERS })
})

it('reads what was decided', () => {
  const raw = { taint: 'confirm', canary: { policy: 'warn', tokens: ['planted-token-1'] }, prices: { sent: 3, received: 15 } }
  expect(parseOrders(raw)).toEqual({ ok: true, orders: { taint: 'confirm', canary: 'warn', tokens: ['planted-token-1'], prices: { sent: 3, received: 15 } } })
})

it.each([
  [{ taint: 'Deny' }, 'taint'], [{ taint: true }, 'taint'], [{ canary: 'deny' }, 'canary'], [{ canary: { policy: 'loud' } }, 'canary'], [{ canary: { tokens: 'x' } }, 'tokens'], [{ canary: { tokens: [], more: 1 } }, 'canary'],
  [{ prices: {} }, 'prices'], [{ prices: { sent: 1 } }, 'prices'], [{ prices: { sent: '1', received: 1 } }, 'prices'], [{ prices: { sent: Number.NaN, received: 1 } }, 'prices'], [{ prices: { sent: -1, received: 1 } }, 'prices'], [{ prices: null }, 'prices'],
])('does not guess what was meant by %j', (raw, says) => {
  const parsed = parseOrders(raw)
  expect(parsed.ok ? '' : parsed.problems.join()).toContain(says)
})

it('counts what the provider counted, and what it did not by its letters', () => {
  const prices = { sent: 2_000_000, received: 1_000_000 }
  expect(costOf({ sent: 10, received: 5, sentChars: 900, receivedChars: 900 }, prices)).toBe(25)
  expect(costOf({ sent: undefined, received: undefined, sentChars: 30, receivedChars: 3 }, prices)).toBe(21)
})
