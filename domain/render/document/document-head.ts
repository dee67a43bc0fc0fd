// The beginning of the head of every generated document.
import { escapeHtml } from "../escape-html.ts";

/** Up to and with the title; the head is still open. */
export const documentHead = (title: string): string => `<!doctype html>
<html lang="und">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>`;
