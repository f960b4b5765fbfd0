export { createSqlGuard } from './guard.ts'
export { createSql } from './sql-service.ts'
