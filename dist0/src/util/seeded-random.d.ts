/** A `Math.random` whose numbers follow from a seed (mulberry32). */
export declare function seededRandom(seed: number): () => number;
