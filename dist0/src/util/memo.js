/** A function of one text that remembers its results for the last texts, at most `most` of them. */
export function memo(most, compute) {
    const known = new Map();
    return text => {
        const found = known.get(text);
        if (found !== undefined)
            return found;
        const result = compute(text);
        if (known.size >= most)
            known.clear();
        known.set(text, result);
        return result;
    };
}
