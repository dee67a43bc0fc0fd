/** The largest version on a test's instance: the default is eight times as much, and would make tests of the limit slow. */
export const contentBytes = 2 * 1024 * 1024;
