/** Property tests draw the same examples in every run; `SEED=random` draws new ones, `SEED=<number>` repeats a failure. */
import fc from 'fast-check'

const { SEED = '1' } = process.env
if (SEED !== 'random') fc.configureGlobal({ seed: Number(SEED) })
