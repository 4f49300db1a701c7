/** An actor that goes through a list of requests again and again, from a place of its own. */
export function repeating(steps, from) {
    let at = from % steps.length;
    return {
        readsBody: false,
        next: () => {
            const step = steps[at];
            at = at + 1 === steps.length ? 0 : at + 1;
            return step;
        },
    };
}
