// The text below a field with a fault. The API says of a field "must be at most 100 characters"; a sentence stands alone.
export const fieldError = (label: string, error: string): string =>
  /^\p{Lu}/u.test(error) ? error : `${label} ${error}`;
