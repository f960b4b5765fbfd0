import { describe, expect, test } from 'vitest'
import { loadSettings } from '../config/index.ts'
import { createDatabase } from './data.ts'

describe('the database of the data family', () => {
  test('is not opened again once it was closed', async () => {
    const { values } = loadSettings({ flags: {}, env: {}, envFile: undefined, file: undefined })
    const database = createDatabase(values, { folder: undefined })
    await expect(database.query({ sql: 'SELECT 1' }, { role: 'reader' })).rejects.toMatchObject({ code: 'data.unconfigured' })
    await database.close()
    await expect(database.query({ sql: 'SELECT 1' }, { role: 'reader' })).rejects.toMatchObject({ code: 'database.unavailable' })
    await expect(database.close()).resolves.toBeUndefined()
  })

  test('that was never asked stays closed', async () => {
    const { values } = loadSettings({ flags: {}, env: {}, envFile: undefined, file: undefined })
    const database = createDatabase(values, { folder: undefined })
    await database.close()
    await expect(database.migrate([])).rejects.toMatchObject({ code: 'database.unavailable' })
  })
})
