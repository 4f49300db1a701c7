/** A report for people. */
export function dataReportView({ files, damages, records }) {
    const counted = Object.entries(records).map(([kind, count]) => `${count} ${kind}`);
    return [
        ...files.map(({ file, lines }) => `${file}: ${lines} lines`),
        `Records: ${counted.join(', ')}`,
        ...damages.map(damageView),
        damages.some(each => each.kind === 'damaged')
            ? 'Damaged. `smsrelay data repair` saves what is whole; a backup may hold more.'
            : 'Whole.',
    ].join('\n');
}
function damageView({ file, line, kind, bytes }) {
    return kind === 'torn'
        ? `${file}: line ${line} (${bytes} bytes) was not written to its end; no reply depended on it.`
        : `${file}: line ${line} (${bytes} bytes) is damaged.`;
}
