// The address holds a secret: no script runs here that could tell it.
export const csr = false;
