/** Whether the figure meets its target. */
export function verdict({ value, target }) {
    if (value === undefined || Number.isNaN(value))
        return 'n/a';
    const meets = 'least' in target ? value >= target.least : value <= target.most;
    return meets ? 'ok' : 'short';
}
/** The middle one; of an even number the mean of the two. */
export function median(values) {
    const sorted = [...values].sort((a, b) => a - b);
    const high = sorted[sorted.length >> 1] ?? Number.NaN;
    const low = sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
    return (low + high) / 2;
}
