import { afterAll } from 'vitest'

let callbacks: (() => Promise<void>)[] = []

/** Runs the callback after all tests of the file. */
export function onFileFinished(callback: () => Promise<void>): void {
  callbacks.push(callback)
}

/** For a setup file, which runs before each test file. */
export function watchFile(): void {
  afterAll(async () => {
    const ended = callbacks
    callbacks = []
    await Promise.all(ended.map(callback => callback()))
  })
}
