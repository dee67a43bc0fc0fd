// The version of each renderer: part of the key its results are stored under, and raised when its output changes.

export const rendererVersion = { md: "md-1", jsx: "jsx-1" } as const;
