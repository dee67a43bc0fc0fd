// Runs ahead of a document of html or jsx: tells the page around it what was kept out, and keeps in memory what the
// sandbox won't let it store. The document can undo all of it, so nothing depends on it.
