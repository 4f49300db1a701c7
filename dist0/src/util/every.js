/** Repeats a task, `interval` milliseconds after each end; what it throws goes to `onError`. */
export function every(interval, task, onError) {
    let timer;
    let running;
    const run = () => {
        running = task().catch(onError).then(plan);
    };
    const plan = () => {
        if (timer !== undefined)
            timer = setTimeout(run, interval);
    };
    return {
        start: () => {
            timer = setTimeout(run, interval);
        },
        stop: async () => {
            clearTimeout(timer);
            timer = undefined;
            await running;
        },
    };
}
