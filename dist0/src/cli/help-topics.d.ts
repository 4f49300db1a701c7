/** Texts of `smsrelay help TOPIC` that belong to no command. */
export declare const helpTopics: Readonly<Record<string, string>>;
