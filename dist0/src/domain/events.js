/** The events a subscription can listen to, in the order the interface lists them (SPEC.md section 6). */
export const eventNames = [
    'message.create',
    'message.sent',
    'message.failed',
    'message.blocked',
];
