/** The {@link Timers} of the real clock. */
export const realTimers = {
    after(milliseconds, run) {
        const timer = setTimeout(run, milliseconds);
        return () => clearTimeout(timer);
    },
};
/** Resolves after so many milliseconds, or as soon as the signal is aborted. */
export async function waitFor(timers, milliseconds, signal) {
    if (signal.aborted)
        return;
    await new Promise(resolve => {
        const settle = () => {
            cancel();
            signal.removeEventListener('abort', settle);
            resolve();
        };
        const cancel = timers.after(milliseconds, settle);
        signal.addEventListener('abort', settle);
    });
}
