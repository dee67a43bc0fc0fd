// Weekdays in English, as answers for people and agents say them beside a date.

export const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/** The weekday of a time in UTC: who said "until Friday" sees that it is one. */
export const weekdayOf = (time: string): string => weekdays[new Date(time).getUTCDay()] ?? "";
