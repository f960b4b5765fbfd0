/** The inside of the model's thread. Handed over as text, so it stands alone. */

export interface LocalStart {
  readonly library: string
  readonly model: string
}

export type LocalAsked = { readonly id: number; readonly texts: readonly string[] }
export type LocalSaid = { readonly id: number; readonly vectors: number[][] } | { readonly id: number; readonly failed: string }

export async function localMain(load: NodeJS.Require): Promise<void> {
  const { parentPort, workerData } = load('node:worker_threads') as typeof import('node:worker_threads')
  const start = workerData as LocalStart
  const { initModel } = load(start.library) as { initModel(source: unknown): Promise<{ embed(texts: readonly string[]): Promise<number[][]> }> }
  const { modelSource } = load(start.model) as { modelSource: unknown }
  const model = await initModel(modelSource)
  let turn: Promise<unknown> = Promise.resolve()
  const answer = async ({ id, texts }: LocalAsked): Promise<void> => {
    try {
      parentPort?.postMessage({ id, vectors: await model.embed(texts) } satisfies LocalSaid)
    } catch (error) {
      parentPort?.postMessage({ id, failed: String(error) } satisfies LocalSaid)
    }
  }
  parentPort?.on('message', (asked: LocalAsked) => {
    turn = turn.then(() => answer(asked))
  })
}
