/** Kills this process with all its threads. */
export function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // The system may end this thread only when the call returns.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  throw new Error('The process survived SIGKILL.')
}
