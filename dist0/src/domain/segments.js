import { SegmentedMessage } from 'sms-segments-calculator';
/** The alphabet and number of parts a text needs. */
export function segments(text) {
    const segmented = new SegmentedMessage(text);
    return {
        alphabet: segmented.encodingName === 'GSM-7' ? 'GSM-7' : 'UCS-2',
        parts: Math.max(segmented.segmentsCount, 1),
    };
}
