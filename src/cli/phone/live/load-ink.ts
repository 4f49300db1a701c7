import { RelayError } from '../../../errors.js'

/** The parts of ink and react that the live view uses. */
export type Ink = Pick<
  typeof import('ink'),
  'render' | 'Box' | 'Text' | 'Transform' | 'useStdout'
> &
  Pick<typeof import('react'), 'createElement'>

/**
 * Loads ink and react for production: what react does for its developers costs time, and notes every update in a list
 * that only grows. Throws `configuration` where they are not installed.
 */
export async function loadInk(): Promise<Ink> {
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    const { createElement } = await import('react')
    const { render, Box, Text, Transform, useStdout } = await import('ink')
    return { render, Box, Text, Transform, useStdout, createElement }
  } catch (cause) {
    throw new RelayError('configuration', 'The live view needs ink, which is not installed.', {
      cause,
    })
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}
