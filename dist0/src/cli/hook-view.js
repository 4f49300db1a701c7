import { oneLine } from './text.js';
/** A hit on one line, for people. */
export function hitLine(hit) {
    const time = hit.time.slice(11, 19);
    const id = hit.message.id ?? '(no message id)';
    return oneLine(`${time}Z ${hit.event} ${hit.method} ${hit.url} ${id}`);
}
